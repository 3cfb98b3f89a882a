package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/** A seat held while its patient decides, with the sweeper stopped: whoever reads decides whether a hold has expired. */
@DaybreakTest
@ExtendWith(OutputCaptureExtension.class)
class HoldTest {

    private static final Duration HOLD = Duration.ofMinutes(5);
    private static final Duration CAP = Duration.ofMinutes(15);
    private static final Duration SOON = Duration.ofSeconds(10);

    @Autowired
    ApplicationContext service;

    @Autowired
    MutableClock clock;

    @Autowired
    HoldSweeper sweeper;

    Clinic clinic;
    Instant now;
    long slot;
    long patient;
    String key;

    @BeforeEach
    void aPatientAndTheLastSeat() {
        sweeper.stop();
        clinic = Clinic.at(service);
        now = Instant.now().truncatedTo(ChronoUnit.MICROS);
        clock.set(now);
        slot = clinic.slot(1);
        patient = Clinic.newPatient();
        key = Clinic.newKey();
    }

    @AfterEach
    void nothingIsBroken() {
        clock.reset();
        sweeper.start();
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void takesTheSeatFromEverybodyElse() {
        Answer held = held();

        assertThat(held.body())
                .containsEntry("status", "HELD")
                .containsEntry("patientId", patient)
                .containsEntry("expiresAt", now.plus(HOLD).toString())
                .containsKeys("slotId", "doctorId", "startAt", "endAt");
        assertThat(held.token()).hasSizeGreaterThanOrEqualTo(22).matches("[A-Za-z0-9_-]+");
        assertThat(held.headers()).containsEntry("Location", "/api/holds/" + held.id());
        assertRefused(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()), 409, "SLOT_FULL");
        assertRefused(clinic.hold(slot, Clinic.newPatient(), Clinic.newKey()), 409, "SLOT_FULL");
        assertThat(remaining()).isZero();
        assertThat(found(held).body())
                .containsEntry("status", "HELD")
                .containsEntry("holdExpiresAt", now.plus(HOLD).toString());
        assertThat(clinic.events(slot)).isEqualTo(1);
    }

    @Test
    void leavesItsSeatToTheNextTheMomentItExpires() {
        Answer held = held();
        clock.set(now.plus(HOLD).minusNanos(1_000));
        assertRefused(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()), 409, "SLOT_FULL");

        clock.set(now.plus(HOLD));

        await().atMost(SOON).until(() -> remaining() == 1);
        // The mark of the full slot goes by Redis's time, which no test can set; one request a second looks behind it.
        await().atMost(SOON)
                .until(() ->
                        clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).is(201));
        assertThat(statusOf(held)).isEqualTo("EXPIRED");
        assertThat(clinic.events(slot)).as("held, expired, booked").isEqualTo(3);
        assertThat(clinic.active(slot)).isEqualTo(1).isEqualTo(clinic.bookedCount(slot));
    }

    @Test
    void staysVisibleWithItsTimesAfterItExpired() {
        Answer held = held();
        clock.set(now.plus(HOLD));

        assertThat(found(held).body())
                .containsEntry("status", "EXPIRED")
                .containsEntry("holdExpiresAt", now.plus(HOLD).toString());
        assertThat(listed("EXPIRED")).containsExactly(found(held).body());
        assertThat(listed("HELD")).isEmpty();
        assertThat(statusInTheRow(held)).as("no reader writes").isEqualTo("HELD");

        sweep();
        assertThat(statusInTheRow(held)).isEqualTo("EXPIRED");
        assertThat(listed("EXPIRED")).containsExactly(found(held).body());
    }

    @Test
    void isConfirmedOnceHoweverOftenItIsAsked() {
        Answer held = held();

        Answer confirmed = clinic.confirm(held.id(), held.token());
        clock.advance(CAP);
        Answer again = clinic.confirm(held.id(), held.token());

        assertThat(confirmed.is(200)).as("%s", confirmed).isTrue();
        assertThat(confirmed.id()).isEqualTo(held.id());
        assertThat(confirmed.body()).containsEntry("status", "BOOKED").doesNotContainKeys("token", "holdExpiresAt");
        assertThat(again.is(200)).as("%s", again).isTrue();
        assertThat(clinic.active(slot)).isEqualTo(1).isEqualTo(clinic.bookedCount(slot));
        assertThat(clinic.events(slot)).as("held, confirmed").isEqualTo(2);
        sweep();
        assertThat(statusOf(held)).isEqualTo("BOOKED");
    }

    @Test
    void isConfirmedUntilTheMomentItExpiresAndNotThen() {
        Answer late = held();
        clock.set(now.plus(HOLD));
        assertRefused(clinic.confirm(late.id(), late.token()), 409, "HOLD_EXPIRED");
        clock.set(now.plus(HOLD).plusMillis(1));
        assertRefused(clinic.confirm(late.id(), late.token()), 409, "HOLD_EXPIRED");
        assertRefused(clinic.extend(late.id(), late.token()), 409, "HOLD_EXPIRED");
        assertRefused(clinic.release(late.id(), late.token()), 409, "HOLD_EXPIRED");
        sweep();
        assertRefused(clinic.confirm(late.id(), late.token()), 409, "HOLD_EXPIRED");

        Answer inTime = clinic.hold(slot, patient, Clinic.newKey());
        clock.advance(HOLD.minusNanos(1_000));
        assertThat(clinic.confirm(inTime.id(), inTime.token()).is(200)).isTrue();
    }

    @Test
    void isExtendedUpToTheCapAndToldSoThere() {
        Answer held = held();
        clock.set(now.plusSeconds(240));
        Answer extended = clinic.extend(held.id(), held.token());
        assertThat(extended.is(200)).as("%s", extended).isTrue();
        assertThat(extended.body())
                .containsEntry("expiresAt", now.plusSeconds(540).toString())
                .containsEntry("status", "HELD")
                .doesNotContainKey("token");
        assertThat(clinic.extend(held.id(), held.token()).body())
                .as("nothing to gain yet")
                .containsEntry("expiresAt", now.plusSeconds(540).toString());

        clock.set(now.plusSeconds(500));
        clinic.extend(held.id(), held.token());
        clock.set(now.plusSeconds(700));
        assertThat(clinic.extend(held.id(), held.token()).body())
                .containsEntry("expiresAt", now.plus(CAP).toString());
        String row = row(held);
        Answer refused = clinic.extend(held.id(), held.token());

        assertRefused(refused, 409, "HOLD_LIMIT");
        assertThat(refused.body()).containsEntry("expiresAt", now.plus(CAP).toString());
        assertThat(row(held)).isEqualTo(row);
        clock.set(now.plus(CAP));
        assertRefused(clinic.confirm(held.id(), held.token()), 409, "HOLD_EXPIRED");
        assertThat(clinic.events(slot))
                .as("an extension changes nothing for others")
                .isEqualTo(1);
    }

    @Test
    void givesItsSeatBackOnceThoughReleasedTwice() {
        Answer held = held();

        assertThat(clinic.release(held.id(), held.token()).is(204)).isTrue();
        long other = Clinic.newPatient();
        assertThat(clinic.book(slot, other, Clinic.newKey()).is(201)).isTrue();
        assertThat(clinic.release(held.id(), held.token()).is(204)).isTrue();

        assertThat(clinic.active(slot)).isEqualTo(1).isEqualTo(clinic.bookedCount(slot));
        assertThat(statusOf(held)).isEqualTo("CANCELLED");
        assertRefused(clinic.confirm(held.id(), held.token()), 404, "HOLD_NOT_FOUND");
        assertRefused(clinic.extend(held.id(), held.token()), 404, "HOLD_NOT_FOUND");
        assertRefused(clinic.hold(slot, patient, key), 409, "HOLD_EXPIRED");
    }

    @Test
    void obeysNobodyWithoutItsToken() {
        Answer held = held();
        Answer other = clinic.hold(clinic.slot(1), Clinic.newPatient(), Clinic.newKey());
        String row = row(held);

        for (String token :
                List.of("wrong", other.token(), held.token() + "A", held.token().toUpperCase())) {
            assertRefused(clinic.extend(held.id(), token), 403, "HOLD_FORBIDDEN");
            assertRefused(clinic.release(held.id(), token), 403, "HOLD_FORBIDDEN");
            assertRefused(clinic.confirm(held.id(), token), 403, "HOLD_FORBIDDEN");
        }
        String path = "/api/holds/" + held.id();
        assertRefused(clinic.send(HttpMethod.PUT, path, Map.of(), null), 403, "HOLD_FORBIDDEN");
        assertRefused(clinic.send(HttpMethod.DELETE, path, Map.of(), null), 403, "HOLD_FORBIDDEN");
        assertRefused(clinic.send(HttpMethod.POST, path + "/confirm", Map.of(), null), 403, "HOLD_FORBIDDEN");

        assertThat(row(held)).isEqualTo(row);
        assertThat(clinic.confirm(held.id(), held.token()).is(200)).isTrue();
    }

    @Test
    void isFoundAgainByItsKeyWithATokenOfItsOwnForEachAnswer() {
        Answer held = held();

        Answer again = clinic.hold(slot, patient, key);

        assertThat(again.is(200)).as("%s", again).isTrue();
        assertThat(again.id()).isEqualTo(held.id());
        assertThat(again.body()).containsEntry("expiresAt", held.body().get("expiresAt"));
        assertThat(again.token()).isNotEqualTo(held.token());
        assertThat(clinic.events(slot)).isEqualTo(1);
        assertThat(clinic.extend(held.id(), held.token()).is(200)).isTrue();
        assertThat(clinic.confirm(held.id(), again.token()).is(200)).isTrue();
        Answer confirmed = clinic.hold(slot, patient, key);
        assertThat(confirmed.is(200)).as("%s", confirmed).isTrue();
        assertThat(confirmed.body()).containsEntry("status", "BOOKED").doesNotContainKeys("token", "expiresAt");
    }

    @Test
    void comesBackToItsPatientByAnyKeyThoughTheSlotIsFull() {
        Answer held = held();
        // Until the gate knows that the slot is full, and long enough for it to have let somebody look behind that.
        IntStream.range(0, 20).forEach(i -> clinic.book(slot, Clinic.newPatient(), Clinic.newKey()));

        for (int i = 0; i < 10; i++) {
            Answer again = clinic.hold(slot, patient, Clinic.newKey());

            assertThat(again.is(200)).as("%s", again).isTrue();
            assertThat(again.id()).isEqualTo(held.id());
        }
        assertThat(clinic.appointments(slot)).isEqualTo(1);
    }

    @Test
    void remembersTheLatestFiveTokens() {
        Answer held = held();
        List<String> later = IntStream.range(0, 5)
                .mapToObj(i -> clinic.hold(slot, patient, key).token())
                .toList();

        assertRefused(clinic.extend(held.id(), held.token()), 403, "HOLD_FORBIDDEN");
        assertThat(later).allMatch(token -> clinic.extend(held.id(), token).is(200));
    }

    @Test
    void hasAKeyOfItsOwn() {
        held();
        assertRefused(clinic.book(slot, patient, key), 422, "IDEMPOTENCY_KEY_REUSED");
        assertRefused(clinic.hold(clinic.slot(1), patient, key), 422, "IDEMPOTENCY_KEY_REUSED");
        assertRefused(clinic.hold(slot, Clinic.newPatient(), key), 422, "IDEMPOTENCY_KEY_REUSED");

        String direct = Clinic.newKey();
        long booked = clinic.slot(1);
        long other = Clinic.newPatient();
        clinic.book(booked, other, direct);
        assertRefused(clinic.hold(booked, other, direct), 422, "IDEMPOTENCY_KEY_REUSED");
    }

    @Test
    void isNeitherBookedNorHeldASecondTimeByItsPatient() {
        long roomy = clinic.slot(3);
        long other = Clinic.newPatient();
        Answer held = clinic.hold(roomy, other, Clinic.newKey());
        assertRefused(clinic.book(roomy, other, Clinic.newKey()), 409, "ALREADY_BOOKED");
        assertThat(clinic.hold(roomy, other, Clinic.newKey()).id()).isEqualTo(held.id());

        clinic.confirm(held.id(), held.token());

        assertRefused(clinic.hold(roomy, other, Clinic.newKey()), 409, "ALREADY_BOOKED");
        assertThat(clinic.appointments(roomy)).isEqualTo(1);
    }

    @Test
    void keepsItsPatientFromOtherPlacesUntilItExpires() {
        Instant start = now.plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
        long first = clinic.slot(clinic.doctor(), start, 1);
        long second = clinic.slot(clinic.doctor(), start.plusSeconds(600), 1);
        Answer held = clinic.hold(first, patient, key);
        assertRefused(clinic.book(second, patient, Clinic.newKey()), 409, "PATIENT_OVERLAP");

        clock.advance(HOLD);

        assertThat(clinic.book(second, patient, Clinic.newKey()).is(201)).isTrue();
        assertThat(statusInTheRow(held)).as("ended with the booking").isEqualTo("EXPIRED");
        assertThat(clinic.bookedCount(first)).isZero();
    }

    @Test
    void isNotInTheWayOfAnInstanceThatKnowsNoHolds() {
        Answer held = held();
        clock.advance(HOLD);

        long answers = clinic.number(
                "SELECT count(*) FROM book_batch(ARRAY[%d]::bigint[], ARRAY[%d]::bigint[], ARRAY['%s'], '%s')"
                        .formatted(slot, Clinic.newPatient(), Clinic.newKey(), clock.instant()));

        assertThat(answers)
                .as("one for its request, and none for the seat that came free")
                .isEqualTo(1);
        assertThat(clinic.active(slot)).isEqualTo(1);
        assertThat(statusInTheRow(held)).isEqualTo("EXPIRED");
    }

    @Test
    void isNotRevivedByItsKeyButFollowedByAnother() {
        Answer held = held();
        clock.advance(HOLD);

        assertRefused(clinic.hold(slot, patient, key), 409, "HOLD_EXPIRED");
        Answer next = clinic.hold(slot, patient, Clinic.newKey());

        assertThat(next.is(201)).as("%s", next).isTrue();
        assertThat(next.id()).isNotEqualTo(held.id());
        assertRefused(clinic.confirm(held.id(), held.token()), 409, "HOLD_EXPIRED");
        assertThat(clinic.confirm(next.id(), next.token()).is(200)).isTrue();
    }

    @Test
    void isNotWhatWasBookedDirectly() {
        long booked = clinic.book(slot, patient, key).id();

        for (long id : List.of(booked, Long.MAX_VALUE)) {
            assertRefused(clinic.extend(id, "token"), 404, "HOLD_NOT_FOUND");
            assertRefused(clinic.release(id, "token"), 404, "HOLD_NOT_FOUND");
            assertRefused(clinic.confirm(id, "token"), 404, "HOLD_NOT_FOUND");
        }
        assertThat(clinic.active(slot)).isEqualTo(1);
    }

    @Test
    void isNoHoldAnyMoreOnceConfirmed() {
        Answer held = held();
        clinic.confirm(held.id(), held.token());

        assertRefused(clinic.extend(held.id(), held.token()), 404, "HOLD_NOT_FOUND");
        assertRefused(clinic.release(held.id(), held.token()), 404, "HOLD_NOT_FOUND");
        assertThat(clinic.active(slot)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "0", "-1", "9223372036854775808"})
    void isNotLookedForByAnIdThatIsNone(String id) {
        String path = "/api/holds/" + id;
        assertRefused(clinic.send(HttpMethod.PUT, path, Map.of(), null), 400, "VALIDATION_FAILED");
        assertRefused(clinic.send(HttpMethod.DELETE, path, Map.of(), null), 400, "VALIDATION_FAILED");
        assertRefused(clinic.send(HttpMethod.POST, path + "/confirm", Map.of(), null), 400, "VALIDATION_FAILED");
    }

    @Test
    void isRefusedAsABookingWouldBe() {
        assertRefused(clinic.hold(Long.MAX_VALUE, patient, key), 404, "SLOT_NOT_FOUND");
        clinic.execute("UPDATE time_slot SET closed = true WHERE id = " + slot);
        assertRefused(clinic.hold(slot, patient, key), 409, "SLOT_CLOSED");
        Map<String, Object> body = Map.of("slotId", slot, "patientId", patient);
        assertRefused(clinic.send(HttpMethod.POST, "/api/holds", Map.of(), body), 400, "IDEMPOTENCY_KEY_REQUIRED");
        assertRefused(
                clinic.send(HttpMethod.POST, "/api/holds", Map.of("Idempotency-Key", key), Map.of()),
                400,
                "VALIDATION_FAILED");
        assertThat(clinic.appointments(slot)).isZero();
    }

    @Test
    void tellsItsTokenToNobodyElse(CapturedOutput log) {
        Answer held = held();
        String token = clinic.hold(slot, patient, key).token();
        clinic.release(held.id(), held.token() + "x");
        clinic.confirm(held.id(), token);

        for (String secret : List.of(held.token(), token)) {
            assertThat(clinic.number("SELECT count(*) FROM appointment a WHERE a::text LIKE '%" + secret + "%'"))
                    .isZero();
            assertThat(clinic.number("SELECT count(*) FROM outbox_event e WHERE e::text LIKE '%" + secret + "%'"))
                    .isZero();
            assertThat(found(held).toString()).doesNotContain(secret);
            assertThat(log.toString()).doesNotContain(secret);
        }
        assertThat(clinic.number("SELECT count(*) FROM outbox_event WHERE payload::text LIKE '%oken%'"))
                .isZero();
        assertThat(new HoldToken(token).toString()).doesNotContain(token);
    }

    @Test
    void canBeCancelledLikeAnAppointmentUnlessItHasExpired() {
        Answer held = held();
        assertThat(clinic.cancel(held.id()).is(204)).isTrue();
        assertThat(statusOf(held)).isEqualTo("CANCELLED");
        assertThat(clinic.bookedCount(slot)).isZero();

        Answer expired = clinic.hold(slot, patient, Clinic.newKey());
        clock.advance(HOLD);
        assertThat(clinic.cancel(expired.id()).is(204)).isTrue();
        assertThat(statusOf(expired)).isEqualTo("EXPIRED");
        sweep();
        assertThat(clinic.bookedCount(slot)).isZero();
        assertThat(statusInTheRow(expired)).isEqualTo("EXPIRED");
    }

    @Test
    void isNotInTheWayOfASmallerSlotOnceItHasExpired() {
        long roomy = clinic.slot(2);
        clinic.book(roomy, Clinic.newPatient(), Clinic.newKey());
        clinic.hold(roomy, Clinic.newPatient(), Clinic.newKey());
        String path = "/api/admin/slots/" + roomy;
        assertRefused(
                clinic.send(HttpMethod.PATCH, path, Map.of(), Map.of("capacity", 1)), 409, "CAPACITY_BELOW_BOOKED");

        clock.advance(HOLD);

        Answer changed = clinic.send(HttpMethod.PATCH, path, Map.of(), Map.of("capacity", 1));
        assertThat(changed.is(200)).as("%s", changed).isTrue();
        assertThat(changed.body()).containsEntry("remaining", 0);
    }

    @Test
    void isEndedOnceByTheSweeperWithItsEventAndHistory() {
        List<Long> slots = clinic.slots(3, 250);
        List<Answer> held = IntStream.range(0, 250)
                .mapToObj(i -> clinic.hold(slots.get(i % 3), Clinic.newPatient(), Clinic.newKey()))
                .toList();
        sweep();
        assertThat(slots.stream().mapToLong(clinic::active).sum()).isEqualTo(250);

        clock.advance(HOLD);
        assertThat(sweep()).isGreaterThanOrEqualTo(250);
        assertThat(sweep()).isZero();

        assertThat(slots).allMatch(swept -> clinic.bookedCount(swept) == 0);
        assertThat(clinic.number("SELECT count(*) FROM outbox_event WHERE type = 'HoldExpired' AND aggregateid = '"
                        + held.getFirst().id() + "'"))
                .isEqualTo(1);
        assertThat(clinic.number(
                        "SELECT count(*) FROM appointment WHERE history -> 0 ->> 'change' = 'EXPIRED' AND id = "
                                + held.getLast().id()))
                .isEqualTo(1);
    }

    private Answer held() {
        Answer held = clinic.hold(slot, patient, key);
        assertThat(held.is(201)).as("%s", held).isTrue();
        return held;
    }

    private int sweep() {
        return sweeper.sweep().block(SOON);
    }

    private Answer found(Answer held) {
        return clinic.get("/api/appointments/" + held.id());
    }

    private Object statusOf(Answer held) {
        return found(held).body().get("status");
    }

    private String statusInTheRow(Answer held) {
        return List.of("HELD", "BOOKED", "CANCELLED", "EXPIRED").stream()
                .filter(status -> clinic.number("SELECT count(*) FROM appointment WHERE id = " + held.id()
                                + " AND status = '" + status + "'")
                        == 1)
                .findFirst()
                .orElseThrow();
    }

    private String row(Answer held) {
        return Long.toString(
                clinic.number("SELECT hashtextextended(a::text, 0) FROM appointment a WHERE a.id = " + held.id()));
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> listed(String status) {
        return (List<Map<String, Object>>) clinic.get("/api/patients/" + patient + "/appointments?status=" + status)
                .body()
                .get("list");
    }

    /** As the list of the day shows it. */
    @SuppressWarnings("unchecked")
    private int remaining() {
        long doctor = clinic.number("SELECT doctor_id FROM time_slot WHERE id = " + slot);
        long start = clinic.number("SELECT extract(epoch FROM start_at)::bigint FROM time_slot WHERE id = " + slot);
        var day = Instant.ofEpochSecond(start).atZone(ZoneId.of("UTC")).toLocalDate();
        var slots = (List<Map<String, Object>>)
                clinic.get("/api/doctors/" + doctor + "/slots?zone=UTC&include=all&date=" + day)
                        .body()
                        .get("list");
        return (int) slots.getFirst().get("remaining");
    }

    private static void assertRefused(Answer answer, int status, String code) {
        assertThat(answer.status().value()).as("%s", answer).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code);
    }
}
