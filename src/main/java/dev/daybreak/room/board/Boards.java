package dev.daybreak.room.board;

import dev.daybreak.platform.answer.Rendition;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.room.ReservationChanged;
import dev.daybreak.room.Reservations;
import dev.daybreak.room.Rooms;
import dev.daybreak.room.hold.HoldChanged;
import dev.daybreak.room.hold.RoomHolds;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.event.EventListener;
import reactor.core.publisher.Mono;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Reads a day's board, and keeps it for a moment, as everybody looks at the same few days. */
final class Boards {

    private static final Duration COPY_LIFE = Duration.ofMillis(250);
    private static final int MOST_COPIES = 100;
    private static final int MOST_READS = 32;
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Rooms rooms;
    private final Reservations reservations;
    private final RoomHolds holds;
    private final Names names;
    private final ObjectWriter writer;
    private final Clock clock;
    private final Map<BoardDay, Mono<Rendition>> copies = new ConcurrentHashMap<>();
    private final AtomicInteger reads = new AtomicInteger();

    Boards(
            Rooms rooms,
            Reservations reservations,
            RoomHolds holds,
            BoardSettings settings,
            JsonMapper mapper,
            Clock clock) {
        this.rooms = rooms;
        this.reservations = reservations;
        this.holds = holds;
        this.names = settings.names();
        this.writer = mapper.writerFor(BoardView.class);
        this.clock = clock;
    }

    /** Emits the day as it is in PostgreSQL and Redis; without holds while Redis is away. */
    Mono<DayContent> read(BoardDay day) {
        return Mono.zip(rooms.list(true), reservations.between(day.from(), day.to()), holds.all())
                .map(read -> new DayContent(day, read.getT1(), read.getT2(), read.getT3()));
    }

    /** Emits the day as JSON, no older than a quarter of a second, and than what this instance has changed. */
    Mono<Rendition> find(BoardDay day) {
        if (copies.size() >= MOST_COPIES) {
            copies.clear();
        }
        return copies.computeIfAbsent(day, this::copy);
    }

    private Mono<Rendition> copy(BoardDay day) {
        return Mono.defer(() -> {
                    if (reads.incrementAndGet() > MOST_READS) {
                        reads.decrementAndGet();
                        return Mono.error(
                                new Refusal(Problem.of(ProblemCode.BUSY).retryAfter(SOON)));
                    }
                    return read(day).doFinally(end -> reads.decrementAndGet());
                })
                .map(content -> Rendition.of(json(content.view(clock.instant(), names))))
                .cache(copy -> COPY_LIFE, failure -> Duration.ZERO, () -> Duration.ZERO);
    }

    /** The JSON object, in UTF-8 and on one line. */
    byte[] json(BoardView view) {
        return writer.writeValueAsBytes(view);
    }

    Names names() {
        return names;
    }

    @EventListener
    void on(ReservationChanged changed) {
        copies.clear();
    }

    @EventListener
    void on(HoldChanged changed) {
        copies.clear();
    }

    @EventListener
    void on(RoomChangedElsewhere changed) {
        copies.clear();
    }
}
