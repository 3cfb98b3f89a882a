package dev.daybreak.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Cares for a few patients and asks for one thing after the other at random instances. Repeats what was answered 503, or not at
 * all, until it gets an answer, as a good client does, so it always knows what it was promised.
 */
final class Client {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Set<String> TAKEN = Set.of("SLOT_FULL", "SLOT_CLOSED", "ALREADY_BOOKED", "PATIENT_OVERLAP");

    private final List<Clinic> instances;
    private final List<Long> slots;
    private final Random random;
    private final Journal journal;
    private final List<Long> patients =
            Stream.generate(Clinic::newPatient).limit(3).toList();
    private final List<Promise> promised = new ArrayList<>();

    /** What the service last said about an appointment. */
    private static final class Promise {
        final long id;
        final long patient;
        final @Nullable String token;
        long slot;
        String status;
        int revision = 1;

        Promise(long id, long patient, long slot, @Nullable String token) {
            this.id = id;
            this.patient = patient;
            this.slot = slot;
            this.token = token;
            this.status = token == null ? "BOOKED" : "HELD";
        }

        void became(String status) {
            this.status = status;
            revision++;
        }
    }

    Client(List<Clinic> instances, List<Long> slots, Random random, Journal journal) {
        this.instances = instances;
        this.slots = slots;
        this.random = random;
        this.journal = journal;
    }

    void liveWhile(BooleanSupplier open) {
        while (open.getAsBoolean()) {
            Promise some = promised.isEmpty()
                    ? null
                    : any(promised.subList(Math.max(0, promised.size() - 6), promised.size()));
            int wish = random.nextInt(14);
            if (some == null || wish < 4) {
                book(any(patients), any(slots));
            } else if (wish < 7) {
                move(some, any(slots));
            } else if (wish < 9) {
                cancel(some);
            } else if (wish < 12) {
                hold(any(patients), any(slots));
            } else if (some.status.equals("HELD")) {
                endHold(some);
            }
        }
    }

    /** Books until there is a definite answer, and tells whether that is yes. */
    boolean book(long patient, long slot) {
        String key = Clinic.newKey();
        Answer answer = answered("book", key, patient, slot, clinic -> clinic.booking(slot, patient, key));
        boolean yes = isYes(answer, TAKEN);
        if (yes) {
            promised.add(new Promise(answer.id(), patient, slot, null));
        }
        return yes;
    }

    private void hold(long patient, long slot) {
        String key = Clinic.newKey();
        Answer answer = answered("hold", key, patient, slot, clinic -> clinic.holding(slot, patient, key));
        boolean yes = answer.code().equals("HOLD_EXPIRED") ? false : isYes(answer, TAKEN);
        if (yes && promised.stream().noneMatch(promise -> promise.id == answer.id())) {
            promised.add(new Promise(answer.id(), patient, slot, answer.token()));
        }
    }

    private void endHold(Promise hold) {
        boolean confirms = random.nextInt(3) > 0;
        Answer answer = answered(
                confirms ? "confirm" : "release",
                null,
                hold.patient,
                hold.slot,
                clinic -> confirms ? clinic.confirming(hold.id, hold.token) : clinic.releasing(hold.id, hold.token));
        if (isYes(answer, Set.of("HOLD_EXPIRED"))) {
            hold.became(confirms ? "BOOKED" : "CANCELLED");
        } else {
            hold.status = "EXPIRED";
        }
    }

    private void move(Promise appointment, long slot) {
        Answer answer =
                answered("move", null, appointment.patient, slot, clinic -> clinic.moving(appointment.id, slot));
        boolean gone = answer.code().equals("APPOINTMENT_NOT_BOOKED");
        boolean yes = !gone && isYes(answer, TAKEN);
        assertThat(yes && !appointment.status.equals("BOOKED")).as("%s", answer).isFalse();
        assertThat(gone && appointment.status.equals("BOOKED")).as("%s", answer).isFalse();
        if (yes && appointment.slot != slot) {
            appointment.slot = slot;
            appointment.became("BOOKED");
        }
    }

    private void cancel(Promise appointment) {
        isYes(
                answered(
                        "cancel",
                        null,
                        appointment.patient,
                        appointment.slot,
                        clinic -> clinic.cancelling(appointment.id)),
                Set.of());
        if (appointment.status.equals("BOOKED")) {
            appointment.became("CANCELLED");
        } else if (appointment.status.equals("HELD")) {
            appointment.status = "ENDED"; // cancelled, unless it had expired
        }
    }

    /** The answer to a request that is repeated, at whichever instance, for as long as nobody can say. */
    private Answer answered(
            String wish, @Nullable String key, long patient, long slot, Function<Clinic, Mono<Answer>> request) {
        Instant end = Instant.now().plus(PATIENCE);
        while (Instant.now().isBefore(end)) {
            int instance = random.nextInt(instances.size());
            Answer answer = attempt(request.apply(instances.get(instance)));
            journal.add(wish, key, patient, slot, instance, answer);
            if (answer != null && !answer.is(503)) {
                return answer;
            }
            Stage.pause(Duration.ofMillis(50 + random.nextInt(100)));
        }
        throw new AssertionError("no answer to " + wish + " for " + PATIENCE.toSeconds() + " s");
    }

    private static @Nullable Answer attempt(Mono<Answer> request) {
        // Null for what broke or was silent; what the service said is an answer, whatever it says.
        return request.timeout(TIMEOUT).onErrorComplete().block();
    }

    private static boolean isYes(Answer answer, Set<String> refusals) {
        if (answer.status().is2xxSuccessful()) {
            return true;
        }
        assertThat(answer.code()).as("%s", answer).isIn(refusals);
        return false;
    }

    /** How many appointments this client was promised, all of which are found as promised. */
    int assertPromisesKept(Map<Long, Committed.Row> rows) {
        for (Promise promise : promised) {
            Committed.Row row = rows.get(promise.id);
            assertThat(row)
                    .as("appointment %d, said to be %s", promise.id, promise.status)
                    .isNotNull();
            assertThat(row.patient()).isEqualTo(promise.patient);
            assertThat(row.slot()).isEqualTo(promise.slot);
            switch (promise.status) {
                case "HELD", "EXPIRED" -> assertThat(row.status()).isIn("HELD", "EXPIRED");
                case "ENDED" -> assertThat(row.status()).isIn("CANCELLED", "EXPIRED");
                default -> {
                    assertThat(row.status()).as("%s", row).isEqualTo(promise.status);
                    assertThat(row.revision()).as("%s", row).isEqualTo(promise.revision);
                }
            }
        }
        return promised.size();
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }
}
