package dev.daybreak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

/** What can be said of the container files without an engine: nothing floats, nothing is unbounded, nothing is open, all fits together. */
class DeploymentTest {

    private static final Path COMPOSE = Path.of("compose.yaml");
    private static final Pattern PINNED = Pattern.compile("[a-z0-9./-]+:v?\\d+\\.\\d+(\\.\\d+)?([.\\w-]+)?");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)");
    private static final Pattern SECRET = Pattern.compile("\\$\\{\\w*(PASSWORD|SECRET)[^}]*}");
    private static final String ONCE = "certificate";

    private static Map<String, Map<String, Object>> services;
    private static Map<String, Object> volumes;

    @BeforeAll
    static void read() throws IOException {
        Map<String, Object> compose = new Yaml().load(Files.readString(COMPOSE));
        services = map(compose.get("services"));
        volumes = map(compose.get("volumes"));
    }

    @Test
    void hasEverythingThatRunsDaybreak() {
        assertThat(services)
                .containsOnlyKeys(
                        "daybreak-one",
                        "daybreak-two",
                        "balancer",
                        ONCE,
                        "postgres",
                        "redis",
                        "kafka",
                        "prometheus",
                        "grafana");
    }

    @Test
    void pinsEveryImage() throws IOException {
        assertThat(services.values())
                .allSatisfy(service -> assertThat((String) service.get("image")).matches(PINNED));
        Stream<String> bases = Files.readAllLines(Path.of("Dockerfile")).stream()
                .filter(line -> line.startsWith("FROM "))
                .map(line -> line.split(" ")[1])
                .filter(base -> base.contains(":"));
        assertThat(bases)
                .isNotEmpty()
                .allMatch(base -> PINNED.matcher(base).matches() || base.matches(".+:\\d+[.\\w-]+"));
    }

    @Test
    void limitsAndWatchesEveryService() {
        services.forEach((name, service) -> {
            Map<String, Object> limits =
                    map(map(map(service.get("deploy")).get("resources")).get("limits"));
            assertThat(limits).as(name).containsKeys("cpus", "memory");
            if (!name.equals(ONCE)) {
                assertThat(service.get("restart")).as(name).isEqualTo("unless-stopped");
                // That of the instances is in their image.
                assertThat(service.containsKey("healthcheck") || service.containsKey("build"))
                        .as(name + " has a health check")
                        .isTrue();
            }
        });
    }

    @Test
    void startsNothingBeforeWhatItNeedsIsWell() {
        services.forEach((name, service) -> map(service.getOrDefault("depends_on", Map.of()))
                .forEach((other, how) -> {
                    assertThat(services).containsKey(other);
                    assertThat(map(how).get("condition"))
                            .as(name + " waits for " + other)
                            .isEqualTo(other.equals(ONCE) ? "service_completed_successfully" : "service_healthy");
                }));
    }

    @Test
    void publishesOnLoopbackOnlyAndNeitherServersNorInstances() {
        services.forEach((name, service) -> {
            List<?> ports = (List<?>) service.getOrDefault("ports", List.of());
            assertThat(ports).as(name).allMatch(port -> port.toString().startsWith("127.0.0.1:"));
            if (!Set.of("balancer", "prometheus", "grafana").contains(name)) {
                assertThat(ports).as(name).isEmpty();
            }
        });
    }

    @Test
    void hasNoSecretOfItsOwnAndNamesWhatIsMissing() throws IOException {
        String compose = Files.readString(COMPOSE);
        assertThat(SECRET.matcher(compose).results().map(MatchResult::group))
                .isNotEmpty()
                .allMatch(secret -> secret.contains("?run "));
        Set<String> demanded = VARIABLE.matcher(compose)
                .results()
                .map(found -> found.group(1))
                .filter(variable -> compose.contains("${" + variable + ":?") || compose.contains("${" + variable + "?"))
                .collect(Collectors.toSet());
        String script = Files.readString(Path.of("deploy/new-secrets"));
        assertThat(demanded).isNotEmpty().allMatch(script::contains);
    }

    @Test
    void mountsOnlyWhatIsThereAndKeepsWhatServersWrite() {
        Set<String> used = services.values().stream()
                .flatMap(service -> ((List<?>) service.getOrDefault("volumes", List.of())).stream())
                .map(mount -> mount.toString().split(":")[0])
                .collect(Collectors.toSet());
        assertThat(used).allSatisfy(source -> {
            if (source.startsWith("./")) {
                assertThat(Path.of(source)).exists();
            } else {
                assertThat(volumes).containsKey(source);
            }
        });
        assertThat(used).containsAll(volumes.keySet());
    }

    @Test
    void leadsEverybodyToTheInstances() throws IOException {
        String haproxy = Files.readString(Path.of("deploy/haproxy/haproxy.cfg"));
        String prometheus = Files.readString(Path.of("deploy/prometheus/prometheus.yaml"));
        for (String instance : List.of("daybreak-one", "daybreak-two")) {
            assertThat(haproxy).contains(instance + ":8080");
            assertThat(prometheus).contains(instance + ":8081");
            Map<String, Object> settings = map(services.get(instance).get("environment"));
            assertThat(settings).containsEntry("MANAGEMENT_SERVER_PORT", "8081");
        }
        assertThat(haproxy).contains("GET /readyz", "alpn h2");
    }

    @Test
    void explainsEveryAlert() throws IOException {
        Map<String, Object> alerts = new Yaml().load(Files.readString(Path.of("deploy/prometheus/alerts.yaml")));
        String runbook = Files.readString(Path.of("docs/operations.md"));
        Stream<String> names = ((List<?>) alerts.get("groups"))
                .stream()
                        .flatMap(group -> ((List<?>) map(group).get("rules")).stream())
                        .map(rule -> (String) map(rule).get("alert"));
        assertThat(names).isNotEmpty().allMatch(name -> runbook.contains("`" + name + "`"));
    }

    @Test
    void hasADashboardThatGrafanaCanRead() throws IOException {
        var dashboard =
                JsonMapper.shared().readTree(Files.readString(Path.of("deploy/grafana/dashboards/daybreak.json")));
        assertThat(dashboard.get("panels").findValuesAsString("uid"))
                .isNotEmpty()
                .containsOnly("prometheus");
        assertThat(dashboard.get("panels").findValuesAsString("expr"))
                .isNotEmpty()
                .doesNotContain("");
    }

    @SuppressWarnings("unchecked")
    private static <V> Map<String, V> map(Object value) {
        return (Map<String, V>) value;
    }
}
