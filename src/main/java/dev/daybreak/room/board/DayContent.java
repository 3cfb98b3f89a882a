package dev.daybreak.room.board;

import dev.daybreak.room.Reservation;
import dev.daybreak.room.Room;
import dev.daybreak.room.board.BoardView.Entry;
import dev.daybreak.room.board.BoardView.Kind;
import dev.daybreak.room.board.BoardView.Occupant;
import dev.daybreak.room.board.BoardView.RoomOfTheDay;
import dev.daybreak.room.hold.HeldRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What was read of a day; what of it is shown depends on the time. */
record DayContent(BoardDay day, List<Room> rooms, List<Reservation> reservations, List<HeldRange> holds) {

    private static final Comparator<Entry> BY_START =
            Comparator.comparing(Entry::startAt).thenComparing(Entry::kind).thenComparing(Entry::id);

    BoardView view(Instant now, Names names) {
        return view(roomsAt(now, names));
    }

    /** The day with some of its rooms. */
    BoardView view(List<RoomOfTheDay> shown) {
        return new BoardView(day.date(), day.zone().getId(), day.from(), day.to(), shown);
    }

    /** Rooms that cannot be reserved any more are there while somebody has them. */
    List<RoomOfTheDay> roomsAt(Instant now, Names names) {
        Map<Long, List<Reservation>> reserved =
                reservations.stream().collect(Collectors.groupingBy(Reservation::roomId));
        Map<Long, List<HeldRange>> held = holds.stream()
                .filter(hold -> hold.expiresAt().isAfter(now) && hold.range().overlaps(day.range()))
                .collect(Collectors.groupingBy(HeldRange::roomId));
        return rooms.stream()
                .map(room -> new RoomOfTheDay(
                        room.id(),
                        room.name(),
                        room.seats(),
                        room.description(),
                        room.active(),
                        entries(
                                reserved.getOrDefault(room.id(), List.of()),
                                held.getOrDefault(room.id(), List.of()),
                                now,
                                names)))
                .filter(room -> room.active() || !room.entries().isEmpty())
                .toList();
    }

    private static List<Entry> entries(List<Reservation> reserved, List<HeldRange> held, Instant now, Names names) {
        Instant next = reserved.stream()
                .map(reservation -> reservation.range().start())
                .filter(start -> start.isAfter(now))
                .min(Comparator.naturalOrder())
                .orElse(null);
        var entries = new ArrayList<Entry>();
        for (Reservation reservation : reserved) {
            entries.add(new Entry(
                    Kind.RESERVED,
                    reservation.id(),
                    reservation.range().start(),
                    reservation.range().end(),
                    names.shown(reservation.name()),
                    occupant(reservation, now, next),
                    null));
        }
        for (HeldRange hold : held) {
            entries.add(new Entry(
                    Kind.HELD, hold.id(), hold.range().start(), hold.range().end(), null, null, hold.expiresAt()));
        }
        entries.sort(BY_START);
        return entries;
    }

    private static @Nullable Occupant occupant(Reservation reservation, Instant now, @Nullable Instant next) {
        Instant start = reservation.range().start();
        if (!start.isAfter(now)) {
            return now.isBefore(reservation.range().end()) ? Occupant.CURRENT : null;
        }
        return start.equals(next) ? Occupant.NEXT : null;
    }

    /** When the clock alone changes what is shown, the first time after {@code now}. */
    Instant nextTurn(Instant now) {
        return Stream.concat(
                        reservations.stream()
                                .flatMap(reservation -> Stream.of(
                                        reservation.range().start(),
                                        reservation.range().end())),
                        holds.stream().map(HeldRange::expiresAt))
                .filter(turn -> turn.isAfter(now))
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }
}
