package dev.daybreak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.admin.InvariantAudit;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.reactive.function.client.WebClient;

/** What docs/metrics.md, the dashboards and the alerts speak of is there, and nothing of ours is there that the page does not name. */
@DaybreakTest
class MetricsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(daybreak[.a-z]+)` \\| (\\w+) \\| (\\w*) ?\\| ([^|]*)\\|");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern OURS = Pattern.compile("\\b(?:daybreak|http_server|r2dbc|jvm|process)_[a-z_0-9]+");

    private static final Set<String> NUMBER_OF_SLOTS_GROWS =
            Set.of("slot", "slotId", "doctor", "patient", "id", "address");

    @Autowired
    ApplicationContext here;

    ConfigurableApplicationContext there;
    MeterRegistry meters;

    /** A test's own context has no Prometheus. */
    @BeforeEach
    void startAnInstanceAndUseWhatShowsOnlyOnceUsed() {
        there = TestServers.anotherInstance(
                here,
                "spring.mail.host=127.0.0.1",
                "spring.mail.port=1",
                "daybreak.notification.from=clinic@example.org");
        meters = there.getBean(MeterRegistry.class);
        Clinic clinic = Clinic.at(there);
        clinic.book(clinic.slot(1), Clinic.newPatient(), Clinic.newKey());
        there.getBean(InvariantAudit.class).run().block(PATIENCE);
        System.gc();
    }

    @AfterEach
    void stop() {
        there.close();
    }

    private record Documented(String name, String kind, String unit, Set<String> tags) {}

    @Test
    void everyMetricOfOursIsDocumentedWithItsKindUnitAndTags() throws IOException {
        assertThat(registered())
                .isEqualTo(documented().stream()
                        .sorted(Comparator.comparing(Documented::name))
                        .toList());
    }

    @Test
    void noMetricGrowsWithTheClinic() {
        assertThat(registered())
                .allSatisfy(meter ->
                        assertThat(meter.tags()).as(meter.name()).doesNotContainAnyElementsOf(NUMBER_OF_SLOTS_GROWS));
        assertThat(meters.getMeters().size()).isLessThan(2_000);
    }

    @Test
    void whatAlertsAndDashboardsAskForIsThere() throws IOException {
        String scraped = WebClient.create(
                        "http://127.0.0.1:" + there.getEnvironment().getRequiredProperty("local.server.port"))
                .get()
                .uri("/actuator/prometheus")
                .retrieve()
                .bodyToMono(String.class)
                .block(PATIENCE);
        Set<String> there = names(scraped);

        for (String file : List.of("deploy/prometheus/alerts.yaml", "deploy/grafana/dashboards/daybreak.json")) {
            assertThat(names(Files.readString(Path.of(file))))
                    .as(file)
                    .isNotEmpty()
                    .isSubsetOf(there);
        }
    }

    private static Set<String> names(String text) {
        return OURS.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Documented> documented() throws IOException {
        return ROW.matcher(Files.readString(Path.of("docs/metrics.md")))
                .results()
                .map(row -> new Documented(
                        row.group(1),
                        row.group(2),
                        row.group(3),
                        QUOTED.matcher(row.group(4))
                                .results()
                                .map(tag -> tag.group(1))
                                .collect(Collectors.toSet())))
                .toList();
    }

    private List<Documented> registered() {
        return meters.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getName().startsWith("daybreak."))
                .collect(Collectors.groupingBy(Meter.Id::getName))
                .values()
                .stream()
                .map(MetricsTest::summed)
                .sorted(Comparator.comparing(Documented::name))
                .toList();
    }

    private static Documented summed(List<Meter.Id> ids) {
        Meter.Id first = ids.getFirst();
        String kind = switch (first.getType()) {
            case DISTRIBUTION_SUMMARY -> "summary";
            default -> first.getType().name().toLowerCase(Locale.ROOT);
        };
        String unit = first.getType() == Meter.Type.TIMER ? "seconds" : String.valueOf(first.getBaseUnit());
        Set<String> tags = ids.stream()
                .flatMap(id -> id.getTags().stream().map(Tag::getKey))
                .collect(Collectors.toSet());
        return new Documented(first.getName(), kind, unit.replace("null", ""), tags);
    }
}
