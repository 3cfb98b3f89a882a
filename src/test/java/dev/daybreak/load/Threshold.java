package dev.daybreak.load;

import dev.daybreak.load.K6.ScriptFailed;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A condition on a metric, such as {@code p(95)<200} or {@code rate==1}. */
record Threshold(String metric, String expression, Metric values, String aggregation, String operator, double limit) {

    private static final Pattern EXPRESSION = Pattern.compile(
            "\\s*([a-z]+|p\\(\\d+(?:\\.\\d+)?\\))\\s*(<=|>=|===|==|!=|<|>)\\s*(-?\\d+(?:\\.\\d+)?)\\s*");

    static Threshold parse(String metric, String expression, Metric values) {
        Matcher matcher = EXPRESSION.matcher(expression);
        if (!matcher.matches()) {
            throw new ScriptFailed("not a threshold: " + metric + " " + expression);
        }
        var threshold = new Threshold(
                metric, expression, values, matcher.group(1), matcher.group(2), Double.parseDouble(matcher.group(3)));
        // A wrong aggregation must show before the run, not after it.
        threshold.holds(1);
        return threshold;
    }

    /** The rate of nothing is not a number and holds no condition. */
    boolean holds(double seconds) {
        double value = values.aggregate(aggregation, seconds);
        return switch (operator) {
            case "<" -> value < limit;
            case "<=" -> value <= limit;
            case ">" -> value > limit;
            case ">=" -> value >= limit;
            case "!=" -> !Double.isNaN(value) && value != limit;
            default -> value == limit;
        };
    }
}
