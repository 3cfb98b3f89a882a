package dev.daybreak.platform.problem;

import dev.daybreak.platform.sql.SqlStates;
import java.time.Duration;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.util.DisconnectedClientHelper;

/** What a failure means to the client. */
final class Failures {

    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration LATER = Duration.ofSeconds(3);

    private Failures() {}

    static Problem problem(Throwable failure) {
        if (failure instanceof Refusal refusal) {
            return refusal.problem();
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DataBufferLimitException) {
                return Problem.of(ProblemCode.BODY_TOO_LARGE);
            }
        }
        if (failure instanceof ErrorResponse explained) {
            return explained(explained);
        }
        if (failure instanceof InvalidMediaTypeException) {
            return Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE);
        }
        // An Accept header with more types than Spring is willing to sort.
        if (failure instanceof InvalidMimeTypeException) {
            return Problem.of(ProblemCode.NOT_ACCEPTABLE);
        }
        if (SqlStates.isOverload(failure)) {
            return Problem.of(ProblemCode.BUSY).retryAfter(SOON);
        }
        if (SqlStates.isUnavailable(failure)) {
            return Problem.of(ProblemCode.UNAVAILABLE).retryAfter(LATER);
        }
        return Problem.of(ProblemCode.INTERNAL_ERROR);
    }

    /** Whether the failure only says that nobody listens any more. Database failures must be told apart before. */
    static boolean isClientGone(Throwable failure) {
        return DisconnectedClientHelper.isClientDisconnectedException(failure);
    }

    private static Problem explained(ErrorResponse failure) {
        HttpStatusCode status = failure.getStatusCode();
        return switch (status.value()) {
            case 404 -> Problem.of(ProblemCode.NOT_FOUND);
            case 405 -> Problem.of(ProblemCode.METHOD_NOT_ALLOWED);
            case 406 -> Problem.of(ProblemCode.NOT_ACCEPTABLE);
            case 413 -> Problem.of(ProblemCode.BODY_TOO_LARGE);
            case 415 -> Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE);
            case 503 -> Problem.of(ProblemCode.BUSY).retryAfter(SOON);
            default -> status.is4xxClientError() ? invalid(failure) : Problem.of(ProblemCode.INTERNAL_ERROR);
        };
    }

    private static Problem invalid(ErrorResponse failure) {
        boolean ofParameter = failure instanceof ServerWebInputException input && input.getMethodParameter() != null;
        return ofParameter ? Problem.of(ProblemCode.VALIDATION_FAILED) : Problem.invalid("request", "invalid");
    }
}
