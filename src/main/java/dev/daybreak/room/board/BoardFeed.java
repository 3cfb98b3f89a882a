package dev.daybreak.room.board;

import dev.daybreak.platform.feed.Feed;
import dev.daybreak.platform.feed.FeedSettings;
import dev.daybreak.platform.feed.OpenStreams;
import dev.daybreak.room.ReservationChanged;
import dev.daybreak.room.TimeRange;
import dev.daybreak.room.hold.HoldChanged;
import java.time.Clock;
import java.util.List;
import org.springframework.context.event.EventListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Boards as streams of events. A change says only where to look: the board is read again, at most once in a tenth of a second,
 * whatever the number of changes and clients.
 */
final class BoardFeed extends Feed<BoardFeed.All, BoardKey, WatchedBoard> {

    /** All boards are one group: there are few days to look at, and all have the same rooms. */
    enum All {
        BOARDS
    }

    private static final int READ_AT_ONCE = 4;

    /** Each is read every few seconds: who opens the days of many years in all zones must not keep the database busy. */
    static final int MOST_BOARDS = 200;

    private final Boards boards;
    private final Clock clock;
    private final FeedSettings settings;

    BoardFeed(Boards boards, Clock clock, FeedSettings settings, OpenStreams streams) {
        super("board-feed", MOST_BOARDS, clock, settings, streams);
        this.boards = boards;
        this.clock = clock;
        this.settings = settings;
    }

    @Override
    protected All group(BoardKey key) {
        return All.BOARDS;
    }

    @Override
    protected WatchedBoard watch(BoardKey key) {
        return new WatchedBoard(key, boards, clock, this::readSoon);
    }

    @Override
    protected Mono<Void> load(WatchedBoard of) {
        return Mono.defer(() -> {
            long reading = of.begin();
            return boards.read(of.key().dayAt(clock.instant()))
                    .doOnNext(content -> of.load(content, reading))
                    .then();
        });
    }

    @Override
    protected Mono<Void> check(List<WatchedBoard> of) {
        return Flux.fromIterable(of).flatMap(this::read, READ_AT_ONCE).then();
    }

    private Mono<Void> read(WatchedBoard of) {
        return Mono.defer(() -> {
            long reading = of.begin();
            return boards.read(of.key().dayAt(clock.instant()))
                    .doOnNext(content -> {
                        if (of.take(content, reading)) {
                            schedule(of);
                        }
                    })
                    .then();
        });
    }

    @EventListener
    void on(ReservationChanged changed) {
        changed(changed.range());
    }

    @EventListener
    void on(HoldChanged changed) {
        changed(changed.range());
    }

    @EventListener
    void on(RoomChangedElsewhere changed) {
        changed(changed.range());
    }

    private void changed(TimeRange range) {
        watched(All.BOARDS).stream().filter(board -> board.shows(range)).forEach(this::readSoon);
    }

    private void readSoon(WatchedBoard board) {
        if (board.wantsReading()) {
            schedule(board.pauseBeforeReading(settings.merge()), () -> checkNow(List.of(board)));
        }
    }
}
