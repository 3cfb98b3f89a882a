package dev.daybreak.platform.problem;

/**
 * Ends the handling of a request with a problem as its answer. Has neither stack trace nor suppressed exceptions: in a
 * rush the refusal is the hot path.
 */
public final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    public Refusal(Problem problem) {
        super(problem.code().name(), null, false, false);
        this.problem = problem;
    }

    public Refusal(ProblemCode code) {
        this(Problem.of(code));
    }

    public Problem problem() {
        return problem;
    }
}
