package dev.daybreak.platform.server;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.ProblemResponses;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/** Problem documents for requests that come no further than the HTTP server, which would answer them with a bare status. */
final class RawProblems {

    private static final String NO_PATH = "/";

    private final ProblemResponses problems;

    RawProblems(ProblemResponses problems) {
        this.problems = problems;
    }

    FullHttpResponse answer(Problem problem, @Nullable HttpRequest request) {
        var answer = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(problem.code().status().value()),
                Unpooled.wrappedBuffer(problems.bytes(problem, language(request), path(request))));
        answer.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                .set(HttpHeaderNames.CONTENT_LENGTH, answer.content().readableBytes());
        Duration retryAfter = problem.retryAfter();
        if (retryAfter != null) {
            answer.headers().set(HttpHeaderNames.RETRY_AFTER, Math.max(1, retryAfter.toSeconds()));
        }
        return answer;
    }

    /** The answer with a document if it is a failure without a word; otherwise as it is. */
    FullHttpResponse explained(FullHttpResponse bare, @Nullable HttpRequest request) {
        Problem problem = bare.status().code() < 400 || bare.content().isReadable() || isDescribed(bare)
                ? null
                : problem(bare.status().code());
        if (problem == null) {
            return bare;
        }
        FullHttpResponse answer = answer(problem, request);
        bare.headers().forEach(header -> {
            if (!answer.headers().contains(header.getKey())) {
                answer.headers().add(header.getKey(), header.getValue());
            }
        });
        bare.release();
        return answer;
    }

    // An answer to HEAD says what the body would have been.
    private static boolean isDescribed(FullHttpResponse answer) {
        return answer.headers().contains(HttpHeaderNames.CONTENT_TYPE);
    }

    private static @Nullable Problem problem(int status) {
        return switch (status) {
            case 400 -> Problem.invalid("request", "invalid");
            case 404 -> Problem.of(ProblemCode.NOT_FOUND);
            case 408 -> Problem.of(ProblemCode.REQUEST_TIMEOUT);
            case 413 -> Problem.of(ProblemCode.BODY_TOO_LARGE);
            case 414 -> Problem.of(ProblemCode.ADDRESS_TOO_LONG);
            case 431 -> Problem.of(ProblemCode.HEADERS_TOO_LARGE);
            case 500 -> Problem.of(ProblemCode.INTERNAL_ERROR);
            case 503 -> Problem.of(ProblemCode.BUSY).retryAfter(Duration.ofSeconds(1));
            default -> null;
        };
    }

    private static @Nullable String language(@Nullable HttpRequest request) {
        return request == null ? null : request.headers().get(HttpHeaderNames.ACCEPT_LANGUAGE);
    }

    private static String path(@Nullable HttpRequest request) {
        if (request == null || !request.uri().startsWith("/")) {
            return NO_PATH;
        }
        int query = request.uri().indexOf('?');
        return query < 0 ? request.uri() : request.uri().substring(0, query);
    }
}
