package dev.daybreak.booking.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.http.HttpMethod;

/**
 * Cares for a few patients and asks for one thing after the other at random instances. Repeats what was answered 503 until it
 * gets an answer, as a good client does, so it always knows what it was promised.
 */
final class Client {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<Clinic> clinics;
    private final List<Long> slots;
    private final Random random;
    private final List<Long> patients =
            Stream.generate(Clinic::newPatient).limit(3).toList();
    private final List<Promise> promised = new ArrayList<>();
    int promises;

    /** What the service last said about an appointment. */
    private static final class Promise {
        final long id;
        final long patient;
        final String token;
        long slot;
        String status;
        int revision = 1;

        Promise(long id, long patient, long slot, String token) {
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

    Client(List<Clinic> clinics, List<Long> slots, Random random) {
        this.clinics = clinics;
        this.slots = slots;
        this.random = random;
    }

    void liveUntil(Instant end) {
        while (Instant.now().isBefore(end)) {
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

    private void book(long patient, long slot) {
        String key = Clinic.newKey();
        Answer answer = answered(clinic -> clinic.book(slot, patient, key));
        if (isYes(answer, "SLOT_FULL", "SLOT_CLOSED", "ALREADY_BOOKED", "PATIENT_OVERLAP")) {
            promised.add(new Promise(answer.id(), patient, slot, null));
        }
    }

    private void hold(long patient, long slot) {
        String key = Clinic.newKey();
        Answer answer = answered(clinic -> clinic.send(
                HttpMethod.POST,
                "/api/holds",
                Map.of("Idempotency-Key", key),
                Map.of("slotId", slot, "patientId", patient)));
        boolean yes = isYes(answer, "SLOT_FULL", "SLOT_CLOSED", "ALREADY_BOOKED", "PATIENT_OVERLAP", "HOLD_EXPIRED");
        if (yes && promised.stream().noneMatch(promise -> promise.id == answer.id())) {
            promised.add(new Promise(
                    answer.id(), patient, slot, (String) answer.body().get("token")));
        }
    }

    private void endHold(Promise hold) {
        boolean confirms = random.nextInt(3) > 0;
        Answer answer = answered(clinic -> clinic.send(
                confirms ? HttpMethod.POST : HttpMethod.DELETE,
                "/api/holds/" + hold.id + (confirms ? "/confirm" : ""),
                Map.of("Hold-Token", hold.token),
                null));
        if (isYes(answer, "HOLD_EXPIRED")) {
            hold.became(confirms ? "BOOKED" : "CANCELLED");
        } else {
            hold.status = "EXPIRED";
        }
    }

    private void move(Promise appointment, long slot) {
        Answer answer = answered(clinic -> clinic.move(appointment.id, slot));
        boolean yes = isYes(
                answer, "SLOT_FULL", "SLOT_CLOSED", "ALREADY_BOOKED", "PATIENT_OVERLAP", "APPOINTMENT_NOT_BOOKED");
        assertThat(yes && !appointment.status.equals("BOOKED")).as("%s", answer).isFalse();
        assertThat(answer.code().equals("APPOINTMENT_NOT_BOOKED") && appointment.status.equals("BOOKED"))
                .as("%s", answer)
                .isFalse();
        if (yes && appointment.slot != slot) {
            appointment.slot = slot;
            appointment.became("BOOKED");
        }
    }

    private void cancel(Promise appointment) {
        isYes(answered(clinic -> clinic.cancel(appointment.id)));
        if (appointment.status.equals("BOOKED")) {
            appointment.became("CANCELLED");
        } else if (appointment.status.equals("HELD")) {
            appointment.status = "ENDED"; // cancelled, unless it had expired
        }
    }

    /** The answer to a request that is repeated, at whichever instance, for as long as the service cannot say. */
    private Answer answered(Function<Clinic, Answer> request) {
        Instant end = Instant.now().plus(PATIENCE);
        Answer answer = request.apply(any(clinics));
        while (answer.is(503) && Instant.now().isBefore(end)) {
            RandomLivesTest.pause(50 + random.nextInt(100));
            answer = request.apply(any(clinics));
        }
        return answer;
    }

    private boolean isYes(Answer answer, String... refusals) {
        if (answer.status().is2xxSuccessful()) {
            promises++;
            return true;
        }
        assertThat(answer.code()).as("%s", answer).isIn((Object[]) refusals);
        return false;
    }

    void assertPromisesKept() {
        for (Promise promise : promised) {
            String row = " FROM appointment WHERE id = " + promise.id + " AND patient_id = " + promise.patient
                    + " AND slot_id = " + promise.slot;
            String kept = switch (promise.status) {
                case "HELD", "EXPIRED" -> " AND status IN ('HELD', 'EXPIRED')";
                case "ENDED" -> " AND status IN ('CANCELLED', 'EXPIRED')";
                default -> " AND status = '" + promise.status + "' AND revision = " + promise.revision;
            };
            assertThat(clinics.getFirst().number("SELECT count(*)" + row + kept))
                    .as("appointment %d, %s since its change %d", promise.id, promise.status, promise.revision)
                    .isEqualTo(1);
        }
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }
}
