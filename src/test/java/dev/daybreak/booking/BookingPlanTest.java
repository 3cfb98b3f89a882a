package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.time.Duration;
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
        return Objects.requireNonNull(database.sql("SELECT pg_stat_force_next_flush()")
                .fetch()
                .one()
                .then(database.sql("""
                                SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint
                                FROM pg_stat_user_tables WHERE relname IN ('appointment', 'time_slot')""").mapValue(Long.class).one())
                .block(PATIENCE));
    }
}
