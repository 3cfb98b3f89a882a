package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What becomes of bookings that the database fails. The faults are triggers which the test creates and drops, and which
 * strike one patient only, so that whoever else books in the meantime is left alone.
 */
@DaybreakTest
class FailingDatabaseTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Autowired
    ApplicationContext service;

    @Autowired
    ConnectionFactory connections;

    Clinic clinic;
    long slot;
    long victim;
    String key;

    @BeforeEach
    void aVictim() {
        clinic = Clinic.at(service);
        slot = clinic.slot(100);
        victim = Clinic.newPatient();
        key = Clinic.newKey();
    }

    @AfterEach
    void mend() {
        clinic.execute("DROP TRIGGER IF EXISTS fault ON appointment");
        clinic.execute("DROP TRIGGER IF EXISTS fault ON outbox_event");
        clinic.execute("DROP FUNCTION IF EXISTS fault()");
        clinic.execute("DROP SEQUENCE IF EXISTS fault_count");
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01"})
    void triesAgainAfterAConflictThatPasses(String state) {
        appointmentsFail(state, 2);

        Answer answer = clinic.book(slot, victim, key);

        assertThat(answer.is(201)).as("%s", answer).isTrue();
        assertSeats(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01"})
    void saysLaterAfterAConflictThatDoesNotPassAndBooksWithTheSameKeyOnceItHas(String state) {
        appointmentsFail(state, Integer.MAX_VALUE);

        assertBusy(clinic.book(slot, victim, key));
        assertSeats(0);

        mend();
        assertThat(clinic.book(slot, victim, key).is(201)).isTrue();
        assertSeats(1);
    }

    @Test
    void leavesNeitherAppointmentNorEventWhenTheEventCannotBeWritten() {
        createFault("outbox_event", "(NEW.payload ->> 'patientId')::bigint", "XX000", Integer.MAX_VALUE);
        long eventsBefore = eventsOfTheVictim();

        Answer answer = clinic.book(slot, victim, key);

        assertThat(answer.is(500)).as("%s", answer).isTrue();
        assertThat(answer.code()).isEqualTo("INTERNAL_ERROR");
        assertThat(answer.headers()).containsEntry("Content-Type", "application/problem+json");
        assertThat(answer.body())
                .containsOnlyKeys("type", "title", "status", "detail", "instance", "code", "timestamp");
        assertThat(answer.toString()).doesNotContain("injected", "Exception", "dev.daybreak", "XX000");
        assertSeats(0);
        assertThat(eventsOfTheVictim()).isEqualTo(eventsBefore);

        mend();
        assertThat(clinic.book(slot, victim, key).is(201)).isTrue();
        assertSeats(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"XX000", "22P02", "40001"})
    void failsThePoisonedRequestAloneAmongThirtyGoodOnes(String state) {
        appointmentsFail(state, Integer.MAX_VALUE);

        Mono<Answer> poisoned = clinic.booking(slot, victim, key);
        List<Answer> good = Flux.merge(
                        Flux.range(0, 31)
                                .map(i -> i == 15
                                        ? poisoned.doOnNext(answer -> assertThat(
                                                                answer.status().is5xxServerError())
                                                        .isTrue())
                                                .then(Mono.<Answer>empty())
                                        : clinic.booking(slot, Clinic.newPatient(), Clinic.newKey())),
                        31)
                .collectList()
                .block(PATIENCE);

        assertThat(good).hasSize(30).allMatch(answer -> answer.is(201));
        assertSeats(30);
    }

    @Test
    void saysBusyWhenSomebodyElseKeepsTheSlotLockedAndBooksWithTheSameKeyAfterwards() {
        try (var lock = new SlotLock(slot)) {
            List<Answer> answers = Flux.merge(
                            clinic.booking(slot, victim, key),
                            clinic.booking(slot, Clinic.newPatient(), Clinic.newKey()))
                    .collectList()
                    .block(PATIENCE);

            assertThat(answers).hasSize(2).allSatisfy(FailingDatabaseTest::assertBusy);
        }

        assertSeats(0);
        Answer answer = clinic.book(slot, victim, key);
        assertThat(answer.is(201)).as("%s", answer).isTrue();
        assertSeats(1);
    }

    @Test
    void booksOtherSlotsWhileOneIsLocked() {
        List<Long> others = clinic.slots(2, 1);
        try (var lock = new SlotLock(slot)) {
            Mono<List<Answer>> waiting = Flux.merge(IntStream.range(0, 5)
                            .mapToObj(i -> clinic.booking(slot, Clinic.newPatient(), Clinic.newKey()))
                            .toList())
                    .collectList()
                    .cache();
            waiting.subscribe();

            // The slot's lane waits with it, at most for the time of the lock; the other lane goes on.
            List<Answer> answers = Flux.merge(others.stream()
                            .map(other -> clinic.booking(other, Clinic.newPatient(), Clinic.newKey()))
                            .toList())
                    .collectList()
                    .block(PATIENCE);

            assertThat(answers).filteredOn(answer -> answer.is(201)).isNotEmpty();
            assertThat(waiting.block(PATIENCE)).allSatisfy(FailingDatabaseTest::assertBusy);
        }
        assertSeats(0);
    }

    /** Another session's lock on the slot's row. */
    private final class SlotLock implements AutoCloseable {

        private final Connection session;

        SlotLock(long id) {
            session = Mono.from(connections.create()).block(PATIENCE);
            Mono.from(session.beginTransaction())
                    .then(Mono.from(session.createStatement("SELECT id FROM time_slot WHERE id = " + id + " FOR UPDATE")
                                    .execute())
                            .flatMap(result -> Mono.from(result.map(row -> row.get(0, Long.class)))))
                    .block(PATIENCE);
        }

        @Override
        public void close() {
            Mono.from(session.rollbackTransaction())
                    .then(Mono.from(session.close()))
                    .block(PATIENCE);
        }
    }

    private void appointmentsFail(String state, int times) {
        createFault("appointment", "NEW.patient_id", state, times);
    }

    /** The count is a sequence: unlike a row it is not rolled back with the failed transaction. */
    private void createFault(String table, String patient, String state, int times) {
        clinic.execute("CREATE SEQUENCE fault_count");
        clinic.execute("""
                CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF %s = %d AND nextval('fault_count') <= %d THEN
                        RAISE EXCEPTION 'injected' USING ERRCODE = '%s';
                    END IF;
                    RETURN NEW;
                END $$""".formatted(patient, victim, times, state));
        clinic.execute("CREATE TRIGGER fault AFTER INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION fault()");
    }

    private long eventsOfTheVictim() {
        return clinic.number("SELECT count(*) FROM outbox_event WHERE (payload ->> 'patientId')::bigint = " + victim);
    }

    private static void assertBusy(Answer answer) {
        assertThat(answer.is(503)).as("%s", answer).isTrue();
        assertThat(answer.code()).isEqualTo("BUSY");
        assertThat(Integer.parseInt(answer.headers().get("Retry-After"))).isPositive();
    }

    private void assertSeats(long seats) {
        await().atMost(PATIENCE).until(() -> clinic.bookedCount(slot) == seats);
        assertThat(clinic.active(slot))
                .isEqualTo(seats)
                .isEqualTo(clinic.appointments(slot))
                .isEqualTo(clinic.events(slot));
        assertThat(clinic.brokenInvariants()).isEmpty();
    }
}
