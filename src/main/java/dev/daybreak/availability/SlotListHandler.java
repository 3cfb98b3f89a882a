package dev.daybreak.availability;

import dev.daybreak.availability.feed.LiveFeed;
import dev.daybreak.schedule.ClinicSettings;
import java.time.Clock;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The slots of a doctor's day, as one JSON array, one slot a line, or live. */
final class SlotListHandler {

    private final DayLists lists;
    private final LiveFeed feed;
    private final ListQuery.Reader queries;
    private final Clock clock;

    SlotListHandler(DayLists lists, LiveFeed feed, ClinicSettings clinic, Clock clock) {
        this.lists = lists;
        this.feed = feed;
        this.queries = new ListQuery.Reader(clinic);
        this.clock = clock;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        ListQuery query = queries.read(request);
        ListFormat format = ListFormat.of(request);
        if (format == ListFormat.EVENTS) {
            return Mono.just(feed.stream(query.day()));
        }
        DayList here = lists.peek(query.day());
        return here == null
                ? lists.find(query.day()).map(list -> answer(request, list, format, query.all()))
                : Mono.just(answer(request, here, format, query.all()));
    }

    private ServerResponse answer(ServerRequest request, DayList list, ListFormat format, boolean all) {
        long age = Math.max(0, clock.millis() - list.loadedAt()) / 1000;
        return list.rendition(all, format == ListFormat.NDJSON)
                .answer(format.mediaType(), age, request.headers().header(HttpHeaders.IF_NONE_MATCH));
    }
}
