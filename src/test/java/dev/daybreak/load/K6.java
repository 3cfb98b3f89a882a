package dev.daybreak.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs an unmodified k6 script for a bounded number of iterations, without its arrival rate and duration.
 *
 * <p>As in k6, every virtual user has globals of its own, setup data is copied as JSON, metrics come from the init phase
 * only, thresholds are judged after teardown, and an exception in an iteration ends that iteration alone.
 */
public final class K6 {

    private final Path script;
    private final Map<String, String> env = new HashMap<>();
    private int iterations = 20;
    private int vus = 4;
    private Duration limit = Duration.ofMinutes(2);

    private K6(Path script) {
        this.script = script;
    }

    public static K6 script(Path script) {
        return new K6(script.toAbsolutePath());
    }

    /** What {@code -e NAME=value} passes. */
    public K6 env(String name, String value) {
        env.put(name, value);
        return this;
    }

    /** The most iterations of each scenario, over all its virtual users; 20 unless told. */
    public K6 iterations(int most) {
        iterations = most;
        return this;
    }

    /** The most virtual users of each scenario, each on its own thread; 4 unless told. */
    public K6 vus(int most) {
        vus = most;
        return this;
    }

    /** How long the iterations of a scenario may take; two minutes unless told. */
    public K6 within(Duration most) {
        limit = most;
        return this;
    }

    /**
     * Runs the script to its end.
     *
     * @throws ScriptFailed if k6 would not have started it, or if its setup failed
     */
    public K6Result run() {
        return new Run(script, Map.copyOf(env), new Bounds(iterations, vus, limit)).run();
    }

    record Bounds(int iterations, int vus, Duration limit) {}

    /** The script is unsound, or its setup failed: there is no result. */
    public static final class ScriptFailed extends RuntimeException {
        ScriptFailed(String message) {
            super(message);
        }
    }
}
