package dev.daybreak.load;

import dev.daybreak.load.K6.Bounds;
import dev.daybreak.load.K6.ScriptFailed;
import dev.daybreak.load.K6Result.Check;
import dev.daybreak.load.K6Result.Verdict;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One run of a script: init, setup, the scenarios one after the other, teardown, thresholds, summary. */
final class Run {

    private static final JsonMapper JSON = new JsonMapper();

    private final Path script;
    private final Map<String, String> env;
    private final Bounds bounds;
    private final Metrics metrics = new Metrics();
    private final Map<String, Check> checks = new ConcurrentSkipListMap<>();
    private final List<String> exceptions = new CopyOnWriteArrayList<>();
    private final AtomicInteger lastVirtualUser = new AtomicInteger();

    Run(Path script, Map<String, String> env, Bounds bounds) {
        this.script = script;
        this.env = env;
        this.bounds = bounds;
    }

    K6Result run() {
        try (Engine engine = Engine.newBuilder()
                        .option("engine.WarnInterpreterOnly", "false")
                        .build();
                HttpClient client = HttpClient.newHttpClient()) {
            return run(new VirtualUser.World(engine, client, script, env, metrics, this::check));
        }
    }

    private K6Result run(VirtualUser.World world) {
        JsonNode options = options(world);
        List<Threshold> thresholds = thresholds(options.path("thresholds"));
        List<Scenario> scenarios = Scenario.of(options, bounds);
        long start = System.nanoTime();
        String data = setup(world);
        scenarios.forEach(scenario -> run(world, scenario, data));
        teardown(world, data);
        double seconds = (System.nanoTime() - start) / 1e9;
        List<Verdict> verdicts = thresholds.stream()
                .map(threshold -> new Verdict(threshold.metric(), threshold.expression(), threshold.holds(seconds)))
                .toList();
        var values = new LinkedHashMap<String, Map<String, Double>>();
        metrics.all().forEach((name, metric) -> values.put(name, metric.summary(seconds)));
        Map<String, String> output = summarise(world, verdicts, values);
        return new K6Result(Map.copyOf(checks), verdicts, values, output, List.copyOf(exceptions));
    }

    private JsonNode options(VirtualUser.World world) {
        try (var vu = new VirtualUser(world, 0)) {
            return JSON.readTree(vu.constant("options"));
        }
    }

    private List<Threshold> thresholds(JsonNode options) {
        return options.properties().stream()
                .flatMap(entry -> conditions(entry.getValue())
                        .map(condition -> Threshold.parse(entry.getKey(), condition, metrics.watch(entry.getKey()))))
                .toList();
    }

    private static Stream<String> conditions(JsonNode node) {
        Stream<JsonNode> each = node.isArray() ? node.valueStream() : Stream.of(node);
        return each.map(condition -> (condition.isObject() ? condition.path("threshold") : condition).asString(""));
    }

    private String setup(VirtualUser.World world) {
        try (var vu = new VirtualUser(world, 0)) {
            return vu.exports("setup") ? vu.call("setup", "null") : "null";
        } catch (PolyglotException e) {
            throw new ScriptFailed("setup: " + e.getMessage());
        }
    }

    private void run(VirtualUser.World world, Scenario scenario, String data) {
        var next = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(scenario.vus());
        try {
            var users = IntStream.range(0, scenario.vus())
                    .mapToObj(user -> threads.submit(() -> iterate(world, scenario, next, data)))
                    .toList();
            long deadline = System.nanoTime() + bounds.limit().toNanos();
            for (var user : users) {
                user.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (Exception e) {
            throw new ScriptFailed("the scenario " + scenario.name() + " did not end: " + e);
        } finally {
            threads.shutdownNow();
        }
    }

    private void iterate(VirtualUser.World world, Scenario scenario, AtomicLong next, String data) {
        boolean shared = !scenario.executor().equals("per-vu-iterations");
        int own = scenario.iterations() / scenario.vus();
        try (var vu = new VirtualUser(world, lastVirtualUser.incrementAndGet())) {
            for (int done = 0; shared || done < own; done++) {
                long number = next.getAndIncrement();
                if (number >= scenario.iterations()) {
                    return;
                }
                guarded(scenario.name(), () -> vu.iterate(scenario, number, data));
            }
        }
    }

    private void teardown(VirtualUser.World world, String data) {
        try (var vu = new VirtualUser(world, 0)) {
            if (vu.exports("teardown")) {
                guarded("teardown", () -> vu.call("teardown", data));
            }
        }
    }

    private void guarded(String where, Runnable step) {
        try {
            step.run();
        } catch (PolyglotException e) {
            exceptions.add(where + ": " + e.getMessage());
        }
    }

    private Map<String, String> summarise(
            VirtualUser.World world, List<Verdict> verdicts, Map<String, Map<String, Double>> values) {
        try (var vu = new VirtualUser(world, 0)) {
            if (!vu.exports("handleSummary")) {
                return Map.of();
            }
            String texts =
                    vu.call("handleSummary", JSON.writeValueAsString(Map.of("metrics", summary(verdicts, values))));
            var output = new LinkedHashMap<String, String>();
            JSON.readTree(texts)
                    .properties()
                    .forEach(
                            entry -> output.put(entry.getKey(), entry.getValue().asString()));
            return output;
        }
    }

    private Map<String, Object> summary(List<Verdict> verdicts, Map<String, Map<String, Double>> values) {
        var summary = new LinkedHashMap<String, Object>();
        metrics.all().forEach((name, metric) -> {
            var thresholds = new LinkedHashMap<String, Object>();
            verdicts.stream()
                    .filter(verdict -> verdict.metric().equals(name))
                    .forEach(verdict -> thresholds.put(verdict.expression(), Map.of("ok", verdict.passed())));
            summary.put(
                    name,
                    Map.of(
                            "type",
                            metric.type().name().toLowerCase(),
                            "contains",
                            metric.isTime() ? "time" : "default",
                            "values",
                            values.get(name),
                            "thresholds",
                            thresholds));
        });
        return summary;
    }

    private void check(String name, boolean passed) {
        checks.merge(name, new Check(0, 0).plus(passed), (before, first) -> before.plus(passed));
    }
}
