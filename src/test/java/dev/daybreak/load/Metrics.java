package dev.daybreak.load;

import dev.daybreak.load.K6.ScriptFailed;
import dev.daybreak.load.Metric.Type;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All metrics of a run: k6's own, the script's, and the parts of them that thresholds name. */
final class Metrics {

    private static final Pattern PART = Pattern.compile("([^{]+)\\{(.+)}");

    private final Map<String, Metric> metrics = new ConcurrentHashMap<>();
    private final Map<String, Part> parts = new ConcurrentHashMap<>();

    private record Part(String metric, Map<String, String> tags, Metric values) {}

    Metrics() {
        Stream.of("http_reqs", "iterations", "dropped_iterations")
                .forEach(name -> metrics.put(name, new Metric(Type.COUNTER, false)));
        Stream.of("http_req_failed", "checks").forEach(name -> metrics.put(name, new Metric(Type.RATE, false)));
        Stream.of("http_req_duration", "iteration_duration", "group_duration")
                .forEach(name -> metrics.put(name, new Metric(Type.TREND, true)));
    }

    /** Every virtual user declares the script's metrics again; they are the same ones. */
    void declare(String name, Type type, boolean time) {
        Metric metric = metrics.computeIfAbsent(name, key -> new Metric(type, time));
        if (metric.type() != type || metric.isTime() != time) {
            throw new ScriptFailed("the metric " + name + " exists with another type");
        }
    }

    void add(String name, double value, Map<String, String> tags) {
        metrics.get(name).add(value);
        parts.values().stream()
                .filter(part -> part.metric().equals(name))
                .filter(part -> tags.entrySet().containsAll(part.tags().entrySet()))
                .forEach(part -> part.values().add(value));
    }

    /** The metric of that name; for {@code name{tag:value}} the part of it, collected from now on. */
    Metric watch(String name) {
        Matcher matcher = PART.matcher(name);
        boolean isPart = matcher.matches();
        Metric metric = metrics.get(isPart ? matcher.group(1) : name);
        if (metric == null) {
            throw new ScriptFailed("a threshold on the unknown metric " + name);
        }
        if (!isPart) {
            return metric;
        }
        Map<String, String> tags = Stream.of(matcher.group(2).split(","))
                .map(tag -> tag.split(":", 2))
                .collect(Collectors.toMap(tag -> tag[0].strip(), tag -> tag[1].strip()));
        return parts.computeIfAbsent(name, key -> new Part(matcher.group(1), tags, metric.samePart()))
                .values();
    }

    /** Metrics with values, and all parts, by name. */
    Map<String, Metric> all() {
        var all = new TreeMap<String, Metric>(metrics);
        all.values().removeIf(Metric::isEmpty);
        parts.forEach((name, part) -> all.put(name, part.values()));
        return all;
    }
}
