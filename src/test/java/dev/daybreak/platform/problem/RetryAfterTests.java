package dev.daybreak.platform.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

/** Who is sent away for a while is told for how long, even if nobody thought of it. */
class RetryAfterTests {

    private final ProblemResponses responses =
            new ProblemResponses(new ProblemMessages(), Clock.systemUTC(), new SimpleMeterRegistry());

    @ParameterizedTest
    @EnumSource(ProblemCode.class)
    void isThereExactlyWhereItHelps(ProblemCode code) {
        int status = code.status().value();

        assertThat(told(Problem.of(code))).isEqualTo(status == 429 || status == 503 ? "1" : null);
        assertThat(told(Problem.of(code).retryAfter(Duration.ofSeconds(7)))).isEqualTo("7");
    }

    private String told(Problem problem) {
        var exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/"));
        responses.write(exchange, problem).block(Duration.ofSeconds(5));
        return exchange.getResponse().getHeaders().getFirst(HttpHeaders.RETRY_AFTER);
    }
}
