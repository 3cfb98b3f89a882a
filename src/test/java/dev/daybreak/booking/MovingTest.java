package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import dev.daybreak.TestServers;
import dev.daybreak.schedule.SlotChanged;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;

/** An appointment that gets another slot: the new seat and the old one change hands together, or not at all. */
@DaybreakTest
class MovingTest {

    @Autowired
    ConfigurableApplicationContext service;

    @Autowired
    MutableClock clock;

    Clinic clinic;
    List<Long> slots;
    long patient;
    String key;
    Answer booked;

    @BeforeEach
    void aPatientWithTheFirstOfThreeSlots() {
        clinic = Clinic.at(service);
        slots = clinic.slots(3, 1);
        patient = Clinic.newPatient();
        key = Clinic.newKey();
        booked = clinic.book(slots.get(0), patient, key);
        assertThat(booked.is(201)).as("%s", booked).isTrue();
    }

    @AfterEach
    void nothingIsBroken() {
        clock.reset();
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void takesTheNewSeatAndGivesTheOldOneBack() {
        Answer moved = clinic.move(booked.id(), slots.get(1));

        assertThat(moved.is(200)).as("%s", moved).isTrue();
        assertThat(moved.body())
                .containsEntry("id", booked.body().get("id"))
                .containsEntry("slotId", slots.get(1).intValue())
                .containsEntry("startAt", start(slots.get(1)).toString())
                .containsEntry(
                        "endAt",
                        start(slots.get(1)).plus(Duration.ofMinutes(15)).toString())
                .containsEntry("revision", 2)
                .containsEntry("status", "BOOKED");
        assertThat(clinic.get("/api/appointments/" + booked.id()).body()).isEqualTo(moved.body());
        assertSeats(0, 1, 0);
        assertThat(clinic.book(slots.get(0), Clinic.newPatient(), Clinic.newKey())
                        .is(201))
                .isTrue();
        assertThat(clinic.book(slots.get(1), Clinic.newPatient(), Clinic.newKey())
                        .code())
                .isEqualTo("SLOT_FULL");
    }

    @Test
    void tellsOneEventWithWhereItWasAndIs() {
        clinic.move(booked.id(), slots.get(1));

        assertThat(clinic.number("""
                        SELECT count(*) FROM outbox_event WHERE aggregateid = '%d' AND type = 'AppointmentMoved'
                        AND payload = jsonb_build_object('schemaVersion', 1, 'appointmentId', %1$d, 'slotId', %d, 'patientId', %d, 'revision', 2,
                            'startAt', '%s'::timestamptz, 'endAt', '%s'::timestamptz, 'previousSlotId', %d,
                            'previousStartAt', '%s'::timestamptz)""".formatted(
                                booked.id(),
                                slots.get(1),
                                patient,
                                start(slots.get(1)),
                                start(slots.get(1)).plus(Duration.ofMinutes(15)),
                                slots.get(0),
                                start(slots.get(0)))))
                .isEqualTo(1);
        assertThat(clinic.number("SELECT count(*) FROM outbox_event WHERE aggregateid = '" + booked.id() + "'"))
                .isEqualTo(2);
    }

    @Test
    void tellsThoseWhoWatchAboutBothSlots() {
        Map<Long, SlotChanged> heard = new ConcurrentHashMap<>();
        ApplicationListener<PayloadApplicationEvent<SlotChanged>> listener =
                ApplicationListener.forPayload(event -> heard.put(event.slot().id(), event));
        service.addApplicationListener(listener);
        try {
            clinic.move(booked.id(), slots.get(1));
        } finally {
            service.removeApplicationListener(listener);
        }

        assertThat(heard.get(slots.get(0)))
                .satisfies(event -> assertThat(event.mayHaveOpened()).isTrue())
                .satisfies(event -> assertThat(event.slot().remaining()).isEqualTo(1))
                .satisfies(event -> assertThat(event.slot().version()).isEqualTo(2));
        assertThat(heard.get(slots.get(1)))
                .satisfies(event -> assertThat(event.mayHaveOpened()).isFalse())
                .satisfies(event -> assertThat(event.slot().remaining()).isZero())
                .satisfies(event -> assertThat(event.slot().version()).isEqualTo(1));
    }

    @Test
    void changesNothingWhenItHasTheSlotAlready() {
        assertThat(clinic.move(booked.id(), slots.get(1)).is(200)).isTrue();

        Answer again = clinic.move(booked.id(), slots.get(1));

        assertThat(again.is(200)).as("%s", again).isTrue();
        assertThat(again.body()).containsEntry("revision", 2);
        assertSeats(0, 1, 0);
    }

    @Test
    void keepsTheSeatWhenTheOtherSlotIsFull() {
        clinic.book(slots.get(1), Clinic.newPatient(), Clinic.newKey());

        Answer refused = clinic.move(booked.id(), slots.get(1));

        assertRefused(refused, 409, "SLOT_FULL");
        assertThat(refused.body())
                .containsEntry("remaining", 0)
                .containsEntry("slotId", slots.get(1).intValue());
        assertSeats(1, 1, 0);
    }

    @Test
    void keepsTheSeatWhenTheOtherSlotIsClosedOrPastOrNotOpenOrUnknown() {
        Instant start = Instant.now().plus(2, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
        long closed = slots.get(1);
        clinic.execute("UPDATE time_slot SET closed = true WHERE id = " + closed);
        long past = clinic.slot(clinic.doctor(), clock.instant().minusSeconds(1), 1);
        Instant opensAt = clock.instant().plusSeconds(3600).truncatedTo(ChronoUnit.SECONDS);
        long early = clinic.slot(clinic.doctor(), start, Duration.ofMinutes(15), 1, opensAt);

        assertRefused(clinic.move(booked.id(), closed), 409, "SLOT_CLOSED");
        assertRefused(clinic.move(booked.id(), past), 409, "SLOT_PAST");
        assertRefused(clinic.move(booked.id(), Long.MAX_VALUE), 404, "SLOT_NOT_FOUND");
        Answer refused = clinic.move(booked.id(), early);
        assertRefused(refused, 409, "SLOT_NOT_OPEN");
        assertThat(refused.body()).containsEntry("opensAt", opensAt.toString());
        assertThat(clinic.get("/api/appointments/" + booked.id()).body()).containsEntry("revision", 1);
        assertSeats(1, 0, 0);
    }

    @Test
    void keepsTheSeatWhenThePatientIsInTheOtherSlotOrElsewhereAtThatTime() {
        clinic.book(slots.get(1), patient, Clinic.newKey());
        long sameTime = clinic.slot(clinic.doctor(), start(slots.get(1)).plusSeconds(60), 1);
        long anotherDoctor = clinic.slot(clinic.doctor(), start(slots.get(0)), 2);
        clinic.execute("UPDATE time_slot SET capacity = 2 WHERE id = " + slots.get(1));

        assertRefused(clinic.move(booked.id(), slots.get(1)), 409, "ALREADY_BOOKED");
        assertRefused(clinic.move(booked.id(), sameTime), 409, "PATIENT_OVERLAP");
        assertThat(clinic.move(booked.id(), anotherDoctor).is(200))
                .as("its own time is no hindrance")
                .isTrue();
    }

    @Test
    void movesNothingThatIsNotBooked() {
        clinic.cancel(booked.id());

        Answer refused = clinic.move(booked.id(), slots.get(1));

        assertRefused(refused, 409, "APPOINTMENT_NOT_BOOKED");
        assertThat(refused.body())
                .containsEntry("appointmentStatus", "CANCELLED")
                .containsEntry("status", 409);
        assertRefused(clinic.move(booked.id(), slots.get(0)), 409, "APPOINTMENT_NOT_BOOKED");
        assertRefused(clinic.move(Long.MAX_VALUE, slots.get(0)), 404, "APPOINTMENT_NOT_FOUND");
        assertSeats(0, 0, 0);
    }

    @Test
    void takesAnExpiredHoldForExpired() {
        long held =
                clinic.hold(slots.get(2), Clinic.newPatient(), Clinic.newKey()).id();
        assertThat(clinic.move(held, slots.get(1)).body()).containsEntry("appointmentStatus", "HELD");

        clock.advance(Duration.ofMinutes(5));

        assertThat(clinic.move(held, slots.get(1)).body()).containsEntry("appointmentStatus", "EXPIRED");
    }

    @Test
    void leavesTheKeyWithTheSlotThatItWasFirstSentFor() {
        clinic.move(booked.id(), slots.get(1));

        Answer retried = clinic.book(slots.get(0), patient, key);
        assertThat(retried.is(200)).as("%s", retried).isTrue();
        assertThat(retried.body()).containsEntry("slotId", slots.get(1).intValue());
        assertThat(clinic.book(slots.get(1), patient, key).code()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    }

    @Test
    void givesTheSeatOfTheSlotItIsInBackWhenItIsCancelled() {
        clinic.move(booked.id(), slots.get(1));

        assertThat(clinic.cancel(booked.id()).is(204)).isTrue();

        assertSeats(0, 0, 0);
    }

    @Test
    void isTooLateFromTheLatestTimeOn() {
        try (var strict = TestServers.anotherInstance(service, "daybreak.booking.latest-move=2h")) {
            Clinic there = Clinic.at(strict);
            Instant soon = Instant.now().plus(Duration.ofMinutes(110)).truncatedTo(ChronoUnit.SECONDS);
            long late = clinic.slot(clinic.doctor(), soon, 1);
            long id = there.book(late, Clinic.newPatient(), Clinic.newKey()).id();

            Answer refused = there.move(id, slots.get(1));

            assertRefused(refused, 409, "TOO_LATE");
            assertThat(refused.body())
                    .containsEntry("until", soon.minus(Duration.ofHours(2)).toString());
            assertThat(there.move(id, late).is(200)).as("it has that slot").isTrue();
            assertThat(there.move(booked.id(), slots.get(1)).is(200)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{\"slotId\": 0}", "{\"slotId\": \"x\"}", "{\"slotId\": 1, \"patientId\": 2}", "[]", ""})
    void namesWhatIsWrongWithTheBody(String body) {
        Answer answer = clinic.send(
                HttpMethod.PUT,
                "/api/appointments/" + booked.id() + "/slot",
                Map.of("Content-Type", "application/json"),
                body);

        assertRefused(answer, 400, "VALIDATION_FAILED");
        assertSeats(1, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "0", "-1", "9223372036854775808"})
    void refusesAnIdThatIsNone(String id) {
        assertRefused(
                clinic.send(HttpMethod.PUT, "/api/appointments/" + id + "/slot", Map.of(), Map.of("slotId", 1)),
                400,
                "VALIDATION_FAILED");
    }

    @Test
    void decidesAPatientsMovesInTheOrderTheyCome() {
        clinic.book(slots.get(1), patient, Clinic.newKey());
        Booking booking = service.getBean(Booking.class);

        var outcomes = Flux.mergeSequential(
                        booking.move(new Move(booked.id(), slots.get(2), "patient")),
                        booking.move(new Move(booked.id(), slots.get(0), "patient")),
                        booking.move(new Move(booked.id(), slots.get(1), "patient")),
                        booking.move(new Move(booked.id(), slots.get(2), "patient")))
                .collectList()
                .block(Duration.ofSeconds(20));

        assertThat(outcomes)
                .extracting(outcome -> (Object) outcome.getClass().getSimpleName())
                .containsExactly("Moved", "Moved", "AlreadyBooked", "Moved");
        assertSeats(0, 1, 1);
    }

    private void assertSeats(long... taken) {
        for (int i = 0; i < taken.length; i++) {
            assertThat(clinic.bookedCount(slots.get(i)))
                    .as("seats of slot %d", i)
                    .isEqualTo(taken[i])
                    .isEqualTo(clinic.active(slots.get(i)));
        }
    }

    private static void assertRefused(Answer answer, int status, String code) {
        assertThat(answer.is(status)).as("%s", answer).isTrue();
        assertThat(answer.code()).isEqualTo(code);
    }

    private Instant start(long slot) {
        return Instant.ofEpochSecond(
                clinic.number("SELECT extract(epoch FROM start_at)::bigint FROM time_slot WHERE id = " + slot));
    }
}
