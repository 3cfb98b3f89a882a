package dev.daybreak.availability;

import dev.daybreak.platform.web.Input;
import org.springframework.http.CacheControl;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The days of a doctor over HTTP. */
final class DaysHandler {

    private final FreeDays days;

    DaysHandler(FreeDays days) {
        this.days = days;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        return days.find(FreeDays.Query.read(Input.pathAndQuery(request)))
                .flatMap(found ->
                        ServerResponse.ok().cacheControl(CacheControl.noCache()).bodyValue(found));
    }
}
