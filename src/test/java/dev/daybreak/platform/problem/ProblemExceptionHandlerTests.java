package dev.daybreak.platform.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.NotAcceptableStatusException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import reactor.netty.channel.AbortedException;
import reactor.test.StepVerifier;

@ExtendWith(OutputCaptureExtension.class)
class ProblemExceptionHandlerTests {

    private final ProblemExceptionHandler handler = new ProblemExceptionHandler(
            new ProblemResponses(new ProblemMessages(), Clock.systemUTC(), new SimpleMeterRegistry()));
    private final MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/api/x"));

    @Test
    void leavesAResponseAloneThatIsOnItsWay() {
        exchange.getResponse().setComplete().block();
        var failure = new IllegalStateException("too late");
        StepVerifier.create(handler.handle(exchange, failure)).verifyErrorMatches(failure::equals);
    }

    @Test
    void isQuietAboutAClientThatHasGone(CapturedOutput log) {
        var gone = AbortedException.beforeSend();
        StepVerifier.create(handler.handle(exchange, gone)).verifyErrorMatches(gone::equals);
        assertThat(log.getAll()).doesNotContain("ERROR");
    }

    @Test
    void understandsTheFailuresOfTheFramework() {
        assertThat(code(new ResponseStatusException(HttpStatus.NOT_FOUND))).isEqualTo(ProblemCode.NOT_FOUND);
        assertThat(code(new NotAcceptableStatusException("text/csv"))).isEqualTo(ProblemCode.NOT_ACCEPTABLE);
        assertThat(code(new UnsupportedMediaTypeStatusException("text/csv")))
                .isEqualTo(ProblemCode.UNSUPPORTED_MEDIA_TYPE);
        assertThat(code(new InvalidMediaTypeException("csv", "no slash")))
                .isEqualTo(ProblemCode.UNSUPPORTED_MEDIA_TYPE);
        assertThat(code(new DataBufferLimitException("too much"))).isEqualTo(ProblemCode.BODY_TOO_LARGE);
        assertThat(code(new ServerWebInputException("unreadable"))).isEqualTo(ProblemCode.VALIDATION_FAILED);
        assertThat(code(new ResponseStatusException(HttpStatus.I_AM_A_TEAPOT)))
                .isEqualTo(ProblemCode.VALIDATION_FAILED);
        assertThat(code(new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE)))
                .isEqualTo(ProblemCode.BUSY);
        assertThat(code(new ResponseStatusException(HttpStatus.BAD_GATEWAY))).isEqualTo(ProblemCode.INTERNAL_ERROR);
        assertThat(code(new OutOfMemoryError("in a test"))).isEqualTo(ProblemCode.INTERNAL_ERROR);
    }

    @Test
    void refusalsCarryNoStackTrace() {
        assertThat(new Refusal(ProblemCode.SLOT_FULL).getStackTrace()).isEmpty();
    }

    private static ProblemCode code(Throwable failure) {
        return Failures.problem(failure).code();
    }
}
