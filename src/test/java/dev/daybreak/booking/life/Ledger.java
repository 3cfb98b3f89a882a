package dev.daybreak.booking.life;

import dev.daybreak.Clinic.Answer;
import dev.daybreak.booking.life.Step.Book;
import dev.daybreak.booking.life.Step.Cancel;
import dev.daybreak.booking.life.Step.Close;
import dev.daybreak.booking.life.Step.Confirm;
import dev.daybreak.booking.life.Step.Extend;
import dev.daybreak.booking.life.Step.Hold;
import dev.daybreak.booking.life.Step.Move;
import dev.daybreak.booking.life.Step.Release;
import dev.daybreak.booking.life.Step.Resize;
import dev.daybreak.booking.life.Step.Steal;
import dev.daybreak.booking.life.Step.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The clinic on paper: what the service should answer, and what should be true in the end. Knows no database and no concurrency. */
final class Ledger {

    private static final Duration HOLD = Duration.ofMinutes(5);
    private static final Duration HOLD_CAP = Duration.ofMinutes(15);

    /** A slot and what the clinic decided about it. */
    static final class Slot {
        final long id;
        final Instant start;
        final Instant end;
        final Instant opens;
        int capacity;
        boolean closed;

        Slot(long id, Instant start, Instant end, Instant opens, int capacity) {
            this.id = id;
            this.start = start;
            this.end = end;
            this.opens = opens;
            this.capacity = capacity;
        }

        boolean meets(Slot other) {
            return start.isBefore(other.end) && other.start.isBefore(end);
        }
    }

    /** An appointment. */
    static final class Visit {
        final long id;
        final int patient;
        final Slot requested;
        final String key;
        final Instant made;
        Slot slot;
        String status;

        @Nullable
        Instant heldUntil;

        @Nullable
        String token;

        boolean released;
        int revision = 1;

        Visit(long id, int patient, Slot slot, String key, Instant made, @Nullable String token) {
            this.id = id;
            this.patient = patient;
            this.requested = slot;
            this.slot = slot;
            this.key = key;
            this.made = made;
            this.token = token;
            this.status = token == null ? "BOOKED" : "HELD";
            this.heldUntil = token == null ? null : made.plus(HOLD);
        }

        boolean wasHold() {
            return token != null;
        }
    }

    final List<Slot> slots = new ArrayList<>();
    final List<Visit> visits = new ArrayList<>();
    Instant now;

    Ledger(Instant now) {
        this.now = now;
    }

    /** What may be answered to the step, as "409 SLOT_FULL" or "200"; the answer given says which of them was chosen. */
    Set<String> answers(Step step, String key, Answer given) {
        return switch (step) {
            case Book book -> book(book.patient(), slots.get(book.slot()), key, given);
            case Hold hold -> hold(hold.patient(), slots.get(hold.slot()), key, given);
            case Confirm confirm -> confirm(visits.get(confirm.visit()));
            case Extend extend -> extend(visits.get(extend.visit()));
            case Release release -> release(visits.get(release.visit()));
            case Steal steal -> steal(visits.get(steal.visit()));
            case Move move -> move(visits.get(move.visit()), slots.get(move.slot()));
            case Cancel cancel -> cancel(visits.get(cancel.visit()));
            case Close close -> close(slots.get(close.slot()), close.closed());
            case Resize resize -> resize(slots.get(resize.slot()), resize.capacity(), given);
            case Wait wait -> {
                now = now.plus(wait.time());
                yield Set.of("200");
            }
        };
    }

    private Set<String> book(int patient, Slot slot, String key, Answer given) {
        Visit known = byKey(key);
        if (known != null) {
            boolean same = !known.wasHold() && known.patient == patient && known.requested == slot;
            return orFull(slot, same ? "200" : "422 IDEMPOTENCY_KEY_REUSED");
        }
        String refusal = refusal(patient, slot, null);
        if (refusal != null) {
            return orFull(slot, refusal);
        }
        if (given.is(201)) {
            visits.add(new Visit(given.id(), patient, slot, key, now, null));
        }
        return Set.of("201");
    }

    private Set<String> hold(int patient, Slot slot, String key, Answer given) {
        Visit known = byKey(key);
        if (known != null) {
            if (!known.wasHold() || known.patient != patient || known.requested != slot) {
                return orFull(slot, "422 IDEMPOTENCY_KEY_REUSED");
            }
            return isLive(known) || known.status.equals("BOOKED") ? Set.of("200") : orFull(slot, "409 HOLD_EXPIRED");
        }
        boolean own =
                visits.stream().anyMatch(visit -> isLive(visit) && visit.patient == patient && visit.slot == slot);
        String refusal = refusal(patient, slot, null);
        if (own && "409 ALREADY_BOOKED".equals(refusal)) {
            return Set.of("200");
        }
        if (refusal != null) {
            return own ? both(refusal, "200") : orFull(slot, refusal);
        }
        if (given.is(201)) {
            visits.add(new Visit(
                    given.id(), patient, slot, key, now, (String) given.body().get("token")));
        }
        return Set.of("201");
    }

    private Set<String> confirm(Visit visit) {
        if (isLive(visit)) {
            visit.status = "BOOKED";
            visit.revision++;
            return Set.of("200");
        }
        return visit.wasHold() && visit.status.equals("BOOKED") ? Set.of("200") : noHold(visit);
    }

    private Set<String> extend(Visit visit) {
        if (!isLive(visit)) {
            return noHold(visit);
        }
        Instant cap = visit.made.plus(HOLD_CAP);
        if (!visit.heldUntil.isBefore(cap)) {
            return Set.of("409 HOLD_LIMIT");
        }
        Instant until = now.plus(HOLD);
        visit.heldUntil = until.isBefore(cap) ? until : cap;
        return Set.of("200");
    }

    private Set<String> release(Visit visit) {
        if (isLive(visit)) {
            visit.released = true;
            end(visit);
            return Set.of("204");
        }
        return visit.wasHold() && visit.status.equals("CANCELLED") ? both("204", "404 HOLD_NOT_FOUND") : noHold(visit);
    }

    private Set<String> steal(Visit visit) {
        return isLive(visit)
                ? Set.of("403 HOLD_FORBIDDEN")
                : Set.of("403 HOLD_FORBIDDEN", "404 HOLD_NOT_FOUND", "409 HOLD_EXPIRED");
    }

    private Set<String> noHold(Visit visit) {
        return visit.wasHold() && isExpired(visit) ? Set.of("409 HOLD_EXPIRED") : Set.of("404 HOLD_NOT_FOUND");
    }

    private Set<String> move(Visit visit, Slot slot) {
        if (!visit.status.equals("BOOKED")) {
            return Set.of("409 APPOINTMENT_NOT_BOOKED");
        }
        if (visit.slot == slot) {
            return Set.of("200");
        }
        String refusal = refusal(visit.patient, slot, visit);
        if (refusal != null) {
            return Set.of(refusal);
        }
        visit.slot = slot;
        visit.revision++;
        return Set.of("200");
    }

    private Set<String> cancel(Visit visit) {
        if (isActive(visit)) {
            end(visit);
        }
        return Set.of("204");
    }

    private Set<String> close(Slot slot, boolean closed) {
        slot.closed = closed;
        return Set.of("200");
    }

    // The row of an expired hold may still count, until somebody has noticed it.
    private Set<String> resize(Slot slot, int capacity, Answer given) {
        long unnoticed = visits.stream()
                .filter(visit -> visit.slot == slot && isExpired(visit))
                .count();
        long taken = slot.capacity - free(slot);
        if (given.is(200)) {
            slot.capacity = capacity;
        }
        if (capacity < taken) {
            return Set.of("409 CAPACITY_BELOW_BOOKED");
        }
        return capacity < taken + unnoticed ? both("200", "409 CAPACITY_BELOW_BOOKED") : Set.of("200");
    }

    private @Nullable String refusal(int patient, Slot slot, @Nullable Visit but) {
        if (slot.closed) {
            return "409 SLOT_CLOSED";
        }
        if (!slot.start.isAfter(now)) {
            return "409 SLOT_PAST";
        }
        if (slot.opens.isAfter(now)) {
            return "409 SLOT_NOT_OPEN";
        }
        List<Visit> others = visits.stream()
                .filter(visit -> visit != but && visit.patient == patient && isActive(visit))
                .toList();
        if (others.stream().anyMatch(visit -> visit.slot == slot)) {
            return "409 ALREADY_BOOKED";
        }
        if (free(slot) <= 0) {
            return "409 SLOT_FULL";
        }
        return others.stream().anyMatch(visit -> visit.slot.meets(slot)) ? "409 PATIENT_OVERLAP" : null;
    }

    /** A slot that is known to be full is refused as that, whatever else could be said. */
    private Set<String> orFull(Slot slot, String answer) {
        return free(slot) <= 0 ? both(answer, "409 SLOT_FULL") : Set.of(answer);
    }

    private static Set<String> both(String one, String other) {
        return new TreeSet<>(List.of(one, other));
    }

    private void end(Visit visit) {
        visit.status = "CANCELLED";
        visit.revision++;
    }

    private @Nullable Visit byKey(String key) {
        return visits.stream().filter(visit -> visit.key.equals(key)).findAny().orElse(null);
    }

    int free(Slot slot) {
        return slot.capacity
                - (int) visits.stream()
                        .filter(visit -> visit.slot == slot && isActive(visit))
                        .count();
    }

    boolean isActive(Visit visit) {
        return visit.status.equals("BOOKED") || isLive(visit);
    }

    boolean isLive(Visit visit) {
        return visit.status.equals("HELD") && visit.heldUntil.isAfter(now);
    }

    boolean isExpired(Visit visit) {
        return visit.status.equals("HELD") && !visit.heldUntil.isAfter(now);
    }

    /** The status as everybody should see it. */
    String shown(Visit visit) {
        return isExpired(visit) ? "EXPIRED" : visit.status;
    }
}
