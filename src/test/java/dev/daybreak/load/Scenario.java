package dev.daybreak.load;

import dev.daybreak.load.K6.Bounds;
import dev.daybreak.load.K6.ScriptFailed;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * One scenario of a script, cut down to the bounds of the run.
 *
 * @param exec the function it calls
 * @param iterations over all its virtual users
 */
record Scenario(String name, String executor, String exec, int vus, int iterations, double startSeconds) {

    private static final Map<String, Double> UNITS = Map.of("ms", 0.001, "s", 1.0, "m", 60.0, "h", 3600.0);

    /** All scenarios in the order they start. */
    static List<Scenario> of(JsonNode options, Bounds bounds) {
        JsonNode scenarios = options.path("scenarios");
        if (scenarios.isEmpty()) {
            return List.of(of("default", "shared-iterations", options, bounds));
        }
        return scenarios.properties().stream()
                .map(entry ->
                        of(entry.getKey(), entry.getValue().path("executor").asString(""), entry.getValue(), bounds))
                .sorted(Comparator.comparingDouble(Scenario::startSeconds))
                .toList();
    }

    private static Scenario of(String name, String executor, JsonNode options, Bounds bounds) {
        int offered = options.path(executor.equals("constant-arrival-rate") ? "preAllocatedVUs" : "vus")
                .asInt(1);
        int vus = Math.clamp(offered, 1, Math.min(bounds.vus(), bounds.iterations()));
        int wanted = options.path("iterations").asInt(1);
        int iterations = switch (executor) {
            case "constant-arrival-rate", "constant-vus" -> bounds.iterations();
            case "shared-iterations" -> Math.min(wanted, bounds.iterations());
            case "per-vu-iterations" -> Math.min(wanted, bounds.iterations() / vus) * vus;
            default -> throw new ScriptFailed("the stand-in has no executor " + executor);
        };
        String exec = options.path("exec").asString("default");
        return new Scenario(
                name,
                executor,
                exec,
                vus,
                iterations,
                seconds(options.path("startTime").asString("0s")));
    }

    private static double seconds(String duration) {
        String unit = duration.replaceFirst("^[\\d.]+", "");
        return Double.parseDouble(duration.substring(0, duration.length() - unit.length())) * UNITS.get(unit);
    }
}
