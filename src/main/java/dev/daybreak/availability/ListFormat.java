package dev.daybreak.availability;

import java.util.Comparator;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;

/** The ways to read a day, the first being what a client gets that does not care. */
enum ListFormat {
    JSON(MediaType.APPLICATION_JSON),
    NDJSON(MediaType.APPLICATION_NDJSON),
    EVENTS(MediaType.TEXT_EVENT_STREAM);

    private static final ListFormat[] ALL = values();

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
        List<MediaType> best = accepted.stream()
                .filter(type -> type.getQualityValue() > 0)
                .sorted(Comparator.comparingDouble(MediaType::getQualityValue).reversed())
                .toList();
        for (MediaType type : best) {
            for (ListFormat format : ALL) {
                if (type.isCompatibleWith(format.mediaType)) {
                    return format;
                }
            }
        }
        return JSON;
    }
}
