package dev.daybreak.room.board;

import dev.daybreak.platform.feed.Watched;
import dev.daybreak.room.TimeRange;
import dev.daybreak.room.board.BoardView.RoomOfTheDay;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A day's board as it was read last. Of two readings the one that began later counts, in whatever order they end. Today's
 * board becomes the next day's at midnight.
 */
final class WatchedBoard extends Watched<BoardKey> {

    private final Boards boards;
    private final Clock clock;
    private final Consumer<WatchedBoard> midnight;

    // All guarded by this object.
    private @Nullable DayContent content;
    private List<RoomOfTheDay> shown = List.of();
    private List<RoomOfTheDay> sent = List.of();
    private boolean another;
    private long begun;
    private long taken;
    private boolean asked;
    private long begunAt = System.nanoTime() - Long.MAX_VALUE / 4;

    /** @param midnight told when it has to be read because the day is over; with this object held */
    WatchedBoard(BoardKey key, Boards boards, Clock clock, Consumer<WatchedBoard> midnight) {
        super(key, clock);
        this.boards = boards;
        this.clock = clock;
        this.midnight = midnight;
    }

    /** Whether it has to be read after a change, and nobody has been told to yet. */
    synchronized boolean wantsReading() {
        boolean wants = !asked;
        asked = true;
        return wants;
    }

    /** How long to wait with the next reading, in nanoseconds, so that they keep that distance. */
    synchronized long pauseBeforeReading(Duration distance) {
        return Math.max(0, begunAt + distance.toNanos() - System.nanoTime());
    }

    /** Whether a change in that range may show. */
    boolean shows(TimeRange range) {
        return key().dayAt(clock.instant()).range().overlaps(range);
    }

    /** Begins a reading; changes from now on ask for another. Its number is to be given to {@link #take}. */
    synchronized long begin() {
        asked = false;
        begunAt = System.nanoTime();
        return ++begun;
    }

    /** Takes the first reading. */
    void load(DayContent read, long reading) {
        synchronized (this) {
            takeOver(read, reading, clock.instant());
            sent = shown;
            another = false;
        }
        loaded();
    }

    /**
     * Takes over what was read.
     *
     * @return whether there is something to send, for which nobody has been told to come yet
     */
    synchronized boolean take(DayContent read, long reading) {
        Instant now = clock.instant();
        takeOver(read, reading, now);
        return becomesDue(now);
    }

    private void takeOver(DayContent read, long reading, Instant now) {
        if (reading > taken) {
            taken = reading;
            another |= content != null && !content.day().equals(read.day());
            content = read;
            show(now);
        }
    }

    private void show(Instant now) {
        DayContent current = content;
        if (current == null) {
            return;
        }
        List<RoomOfTheDay> rooms = current.roomsAt(now, boards.names());
        if (another || !rooms.equals(shown)) {
            shown = rooms;
            note();
        }
    }

    @Override
    protected Event snapshot(Instant now) {
        DayContent current = content;
        return event("snapshot", current == null ? List.of() : current.roomsAt(now, boards.names()));
    }

    /** The rooms that changed; all of it if there are others, or it is another day. */
    @Override
    protected Event changes(Instant now) {
        Event event = another || !ids(shown).equals(ids(sent)) ? event("snapshot", shown) : event("rooms", changed());
        sent = shown;
        another = false;
        return event;
    }

    private List<RoomOfTheDay> changed() {
        Map<Long, RoomOfTheDay> before = sent.stream().collect(Collectors.toMap(RoomOfTheDay::id, Function.identity()));
        return shown.stream()
                .filter(room -> !room.equals(before.get(room.id())))
                .toList();
    }

    private static Set<Long> ids(List<RoomOfTheDay> rooms) {
        return rooms.stream().map(RoomOfTheDay::id).collect(Collectors.toSet());
    }

    private Event event(String name, List<RoomOfTheDay> rooms) {
        DayContent current = content;
        if (current == null) {
            throw new IllegalStateException("nothing was read yet");
        }
        return new Event(name, boards.json(current.view(rooms)));
    }

    @Override
    protected void turn(Instant now) {
        DayContent current = content;
        if (current != null && !current.day().equals(key().dayAt(now))) {
            midnight.accept(this);
        } else {
            show(now);
        }
    }

    @Override
    protected Instant nextTurn(Instant now) {
        DayContent current = content;
        if (current == null) {
            return Instant.MAX;
        }
        Instant next = current.nextTurn(now);
        Instant end = current.day().to();
        return key().date() == null && end.isAfter(now) && end.isBefore(next) ? end : next;
    }
}
