package dev.daybreak.platform.answer;

import java.util.function.Consumer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers in JSON for the routes that a rush falls on: written at once by the application's mapper, where {@code bodyValue}
 * first looks for a writer and then writes through a stream. The result is the same.
 */
public final class JsonAnswers {

    private final JsonMapper mapper;

    public JsonAnswers(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Emits the response, ready to be written. */
    public Mono<ServerResponse> write(HttpStatus status, Object body, Consumer<HttpHeaders> more) {
        byte[] json = mapper.writeValueAsBytes(body);
        return Mono.just(new BytesAnswer(
                status,
                headers -> {
                    headers.setContentType(MediaType.APPLICATION_JSON);
                    headers.setContentLength(json.length);
                    more.accept(headers);
                },
                json));
    }
}
