package dev.daybreak.room.board;

import dev.daybreak.platform.web.Acceptance;
import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.ClinicSettings;
import java.time.Clock;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The day's board over HTTP, at once or live. */
final class BoardHandler {

    private static final List<MediaType> OFFERED = List.of(MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM);

    private final Boards boards;
    private final BoardFeed feed;
    private final ClinicSettings clinic;
    private final Clock clock;

    BoardHandler(Boards boards, BoardFeed feed, ClinicSettings clinic, Clock clock) {
        this.boards = boards;
        this.feed = feed;
        this.clinic = clinic;
        this.clock = clock;
    }

    Mono<ServerResponse> board(ServerRequest request) {
        Input input = Input.query(request);
        var key = new BoardKey(input.optionalDate("date"), input.zone("zone", clinic.zone()));
        input.complete();
        if (Acceptance.preferred(request.headers().accept(), OFFERED).equals(MediaType.TEXT_EVENT_STREAM)) {
            return Mono.just(feed.stream(key));
        }
        return boards.find(key.dayAt(clock.instant()))
                .map(board -> board.answer(
                        MediaType.APPLICATION_JSON, 0, request.headers().header(HttpHeaders.IF_NONE_MATCH)));
    }
}
