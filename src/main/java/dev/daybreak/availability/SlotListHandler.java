package dev.daybreak.availability;

import dev.daybreak.schedule.ClinicSettings;
import java.time.Clock;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Lists the slots of a doctor's day, as one JSON array or one slot a line. */
final class SlotListHandler {

    private final DayLists lists;
    private final ListQuery.Reader queries;
    private final Clock clock;

    SlotListHandler(DayLists lists, ClinicSettings clinic, Clock clock) {
        this.lists = lists;
        this.queries = new ListQuery.Reader(clinic);
        this.clock = clock;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        ListQuery query = queries.read(request);
        ListFormat format = ListFormat.of(request);
        DayList here = lists.peek(query.day());
        return here == null
                ? lists.find(query.day()).map(list -> answer(request, list, format, query.all()))
                : Mono.just(answer(request, here, format, query.all()));
    }

    private ServerResponse answer(ServerRequest request, DayList list, ListFormat format, boolean all) {
        return ListAnswer.of(list, format, all, request.headers().header(HttpHeaders.IF_NONE_MATCH), clock.millis());
    }
}
