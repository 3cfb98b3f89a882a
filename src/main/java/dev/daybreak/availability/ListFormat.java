package dev.daybreak.availability;

import dev.daybreak.platform.web.Acceptance;
import java.util.Arrays;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;

/** The ways to read a day, the first being what a client gets that does not care. */
enum ListFormat {
    JSON(MediaType.APPLICATION_JSON),
    NDJSON(MediaType.APPLICATION_NDJSON),
    EVENTS(MediaType.TEXT_EVENT_STREAM);

    private static final ListFormat[] ALL = values();
    private static final List<MediaType> OFFERED =
            Arrays.stream(ALL).map(ListFormat::mediaType).toList();

    private final MediaType mediaType;

    ListFormat(MediaType mediaType) {
        this.mediaType = mediaType;
    }

    MediaType mediaType() {
        return mediaType;
    }

    /** What the client likes best; the route has refused those that like none. */
    static ListFormat of(ServerRequest request) {
        List<String> sent = request.headers().header("Accept");
        return sent.isEmpty() ? JSON : preferred(request.headers().accept());
    }

    static ListFormat preferred(List<MediaType> accepted) {
        MediaType best = Acceptance.preferred(accepted, OFFERED);
        return ALL[OFFERED.indexOf(best)];
    }
}
