package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.r2dbc.core.DatabaseClient;

/** A connection keeps the plan it made on the first day, when the tables were empty. */
@DaybreakTest
class BookingPlanTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROWS = 50_000;

    @Autowired
    private ApplicationContext context;

    @Test
    void whatWasPlannedForEmptyTablesReadsNoWholeTableLater() throws Exception {
        try (ConfigurableApplicationContext young = TestServers.anotherInstance(
                context,
                TestServers.freshDatabase(context),
                "daybreak.demo.enabled=false",
                "daybreak.notification.reminder=0", // reads whom it will remind, which is everybody here
                "daybreak.booking.lanes=1",
                "spring.r2dbc.pool.initial-size=1",
                "spring.r2dbc.pool.max-size=1")) {
            var database = young.getBean(DatabaseClient.class);
            var clinic = Clinic.at(young);
            long slot = clinic.slot(ROWS + 2);
            long full = clinic.slot(1);
            assertThat(clinic.book(slot, Clinic.newPatient(), "first")).matches(answer -> answer.is(201));
            assertThat(clinic.book(slot, Clinic.newPatient(), "first")).matches(answer -> answer.is(422));
            assertThat(clinic.book(full, Clinic.newPatient(), "last-seat")).matches(answer -> answer.is(201));
            fill(database, slot);

            long before = rowsRead(database);
            assertThat(clinic.book(slot, Clinic.newPatient(), "another").is(201))
                    .isTrue();
            assertThat(clinic.book(slot, Clinic.newPatient(), "first")).matches(answer -> answer.is(422));
            assertThat(clinic.book(full, Clinic.newPatient(), "too-late").code())
                    .isEqualTo("SLOT_FULL");

            assertThat(rowsRead(database) - before).isLessThan(ROWS / 10);
        }
    }

    @Test
    void neitherMovingNorBookingReadsTheHoldsThatGoOn() throws Exception {
        try (ConfigurableApplicationContext young = TestServers.anotherInstance(
                context,
                TestServers.freshDatabase(context),
                "daybreak.demo.enabled=false",
                "daybreak.notification.reminder=0", // reads whom it will remind, which is everybody here
                "daybreak.booking.lanes=1",
                "daybreak.booking.sweep=0",
                "spring.r2dbc.pool.initial-size=1",
                "spring.r2dbc.pool.max-size=1")) {
            var database = young.getBean(DatabaseClient.class);
            var clinic = Clinic.at(young);
            long held = clinic.slot(2 * ROWS);
            List<Long> slots = clinic.slots(2, 10);
            long appointment =
                    clinic.book(slots.getFirst(), Clinic.newPatient(), "first").id();
            moveThereAndBack(clinic, appointment, slots);
            hold(database, held, "interval '-1 second'", 1);
            assertThat(clinic.book(slots.getFirst(), Clinic.newPatient(), "second")
                            .is(201))
                    .isTrue();
            hold(database, held, "interval '1 hour'", ROWS);
            hold(database, held, "interval '-1 second'", 1);

            long before = blocksRead(database);
            moveThereAndBack(clinic, appointment, slots);
            assertThat(clinic.book(slots.getFirst(), Clinic.newPatient(), "third")
                            .is(201))
                    .isTrue();

            assertThat(blocksRead(database) - before).isLessThan(50);
        }
    }

    private static void moveThereAndBack(Clinic clinic, long appointment, List<Long> slots) {
        assertThat(clinic.move(appointment, slots.getLast()).is(200)).isTrue();
        assertThat(clinic.move(appointment, slots.getFirst()).is(200)).isTrue();
    }

    private static void hold(DatabaseClient database, long slot, String expires, int rows) {
        database.sql("""
                        WITH taken AS (
                            INSERT INTO appointment (slot_id, patient_id, status, start_at, end_at, idempotency_key, requested_slot_id,
                                created_at, hold_tokens, hold_expires_at)
                            SELECT s.id, nextval('appointment_id_seq'), 'HELD', s.start_at, s.end_at, gen_random_uuid(), s.id, now(),
                                   ARRAY['none'], now() + %s
                            FROM time_slot s, generate_series(1, :rows) n WHERE s.id = :slot)
                        UPDATE time_slot SET booked_count = booked_count + :rows WHERE id = :slot""".formatted(expires))
                .bind("rows", rows)
                .bind("slot", slot)
                .fetch()
                .rowsUpdated()
                .block(PATIENCE);
    }

    /** Of the index of holds by slot. */
    private static long blocksRead(DatabaseClient database) {
        return number(
                database,
                "SELECT idx_blks_read + idx_blks_hit FROM pg_statio_user_indexes WHERE indexrelname = 'ix_held_slot'");
    }

    private static void fill(DatabaseClient database, long slot) {
        database.sql("""
                        WITH taken AS (
                            INSERT INTO appointment (slot_id, patient_id, status, start_at, end_at, idempotency_key, requested_slot_id,
                                created_at)
                            SELECT s.id, n, 'BOOKED', s.start_at, s.end_at, 'filler-' || n, s.id, now()
                            FROM time_slot s, generate_series(1, :rows) n WHERE s.id = :slot)
                        UPDATE time_slot SET booked_count = booked_count + :rows WHERE id = :slot""")
                .bind("rows", ROWS)
                .bind("slot", slot)
                .fetch()
                .rowsUpdated()
                .block(PATIENCE);
    }

    private static long rowsRead(DatabaseClient database) {
        return number(database, """
                SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint
                FROM pg_stat_user_tables WHERE relname IN ('appointment', 'time_slot')""");
    }

    private static long number(DatabaseClient database, String statistics) {
        return Objects.requireNonNull(database.sql("SELECT pg_stat_force_next_flush()")
                .fetch()
                .one()
                .then(database.sql(statistics).mapValue(Long.class).one())
                .block(PATIENCE));
    }
}
