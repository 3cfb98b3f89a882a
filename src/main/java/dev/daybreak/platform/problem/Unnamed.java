package dev.daybreak.platform.problem;

import org.jspecify.annotations.Nullable;

/** A failure for the log, without what Reactor adds to it: that has the whole address of the request, which may name a patient. */
final class Unnamed extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int DEEPEST = 20;

    private Unnamed(Throwable failure, @Nullable Throwable cause) {
        super(failure.toString(), cause, false, true);
        setStackTrace(failure.getStackTrace());
    }

    static Unnamed of(Throwable failure) {
        return of(failure, DEEPEST);
    }

    private static Unnamed of(Throwable failure, int depth) {
        Throwable cause = failure.getCause();
        return new Unnamed(failure, cause == null || depth == 0 ? null : of(cause, depth - 1));
    }
}
