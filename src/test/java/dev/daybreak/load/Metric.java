package dev.daybreak.load;

import dev.daybreak.load.K6.ScriptFailed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The values of one metric, or of the part of it with certain tags. Safe for use by many threads. */
final class Metric {

    enum Type {
        COUNTER("count", "rate"),
        GAUGE("value"),
        RATE("rate"),
        TREND("avg", "min", "med", "max", "p");

        private final Set<String> aggregations;

        Type(String... aggregations) {
            this.aggregations = Set.of(aggregations);
        }
    }

    private final Type type;
    private final boolean time;
    private final List<Double> values = new ArrayList<>();

    Metric(Type type, boolean time) {
        this.type = type;
        this.time = time;
    }

    Metric samePart() {
        return new Metric(type, time);
    }

    Type type() {
        return type;
    }

    boolean isTime() {
        return time;
    }

    synchronized void add(double value) {
        values.add(value);
    }

    synchronized boolean isEmpty() {
        return values.isEmpty();
    }

    /** The value of an aggregation such as {@code count} or {@code p(95)}; NaN for the rate of nothing. */
    synchronized double aggregate(String aggregation, double seconds) {
        if (!type.aggregations.contains(aggregation.replaceFirst("\\(.*", ""))) {
            throw new ScriptFailed("a " + type + " has no " + aggregation);
        }
        return switch (aggregation) {
            case "count" -> sum();
            case "rate" -> type == Type.RATE ? sum() / values.size() : sum() / seconds;
            case "value" -> values.isEmpty() ? 0 : values.getLast();
            case "avg" -> values.isEmpty() ? 0 : sum() / values.size();
            case "min" -> percentile(0);
            case "med" -> percentile(50);
            case "max" -> percentile(100);
            default -> percentile(Double.parseDouble(aggregation.substring(2, aggregation.length() - 1)));
        };
    }

    /** The values the summary shows, named as k6 names them. */
    synchronized Map<String, Double> summary(double seconds) {
        var shown = new LinkedHashMap<String, Double>();
        List<String> aggregations = switch (type) {
            case COUNTER -> List.of("count", "rate");
            case GAUGE -> List.of("value");
            case RATE -> List.of("rate");
            case TREND -> List.of("avg", "min", "med", "max", "p(90)", "p(95)");
        };
        aggregations.forEach(name -> shown.put(name, finite(aggregate(name, seconds))));
        if (type == Type.RATE) {
            shown.put("passes", sum());
            shown.put("fails", values.size() - sum());
        }
        return shown;
    }

    private double sum() {
        return values.stream().mapToDouble(Double::doubleValue).sum();
    }

    private double percentile(double percent) {
        if (values.isEmpty()) {
            return 0;
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double position = percent / 100 * (sorted.length - 1);
        int below = (int) Math.floor(position);
        int above = (int) Math.ceil(position);
        return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
    }

    private static double finite(double value) {
        return Double.isFinite(value) ? value : 0;
    }
}
