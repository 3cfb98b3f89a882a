package dev.daybreak.load;

import java.util.List;
import java.util.Map;

/**
 * What a run of a script found.
 *
 * @param checks by name
 * @param thresholds in the order of the script
 * @param metrics the values of each metric by its name, and of each part that has a threshold, as {@code name{tag:value}}
 * @param output what {@code handleSummary} returned: texts by {@code stdout} or by file name, none written
 * @param exceptions messages of iterations (and of the teardown) that ended with one
 */
public record K6Result(
        Map<String, Check> checks,
        List<Verdict> thresholds,
        Map<String, Map<String, Double>> metrics,
        Map<String, String> output,
        List<String> exceptions) {

    public record Check(long passed, long failed) {
        Check plus(boolean success) {
            return success ? new Check(passed + 1, failed) : new Check(passed, failed + 1);
        }
    }

    public record Verdict(String metric, String expression, boolean passed) {}

    /** Whether k6 would have exited with 0, and nothing was thrown. */
    public boolean passed() {
        return exceptions.isEmpty() && failedThresholds().isEmpty();
    }

    public List<Verdict> failedThresholds() {
        return thresholds.stream().filter(verdict -> !verdict.passed()).toList();
    }

    /** The count of a counter, 0 if nothing was added. */
    public long count(String counter) {
        return Math.round(metrics.getOrDefault(counter, Map.of()).getOrDefault("count", 0.0));
    }
}
