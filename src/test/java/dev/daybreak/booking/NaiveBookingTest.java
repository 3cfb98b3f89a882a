package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The twin of {@link BookingRaceTest}: the same crowd, but whoever books looks first and writes then. It sells seats that
 * are not there, which shows that the crowd is a race at all: a race test that the naive way would pass proves nothing.
 * Its tables are its own and lack the constraints, which would refuse what it does.
 */
@DaybreakTest
class NaiveBookingTest {

    private static final int CAPACITY = 5;
    private static final int ROUNDS = 50;

    @Autowired
    ApplicationContext service;

    @Autowired
    DatabaseClient database;

    @Autowired
    TransactionalOperator transaction;

    Clinic clinic;

    @BeforeEach
    void createUnguardedTables() {
        clinic = Clinic.at(service);
        clinic.execute("CREATE TABLE naive_slot (id bigint PRIMARY KEY, capacity integer, booked_count integer)");
        clinic.execute("CREATE TABLE naive_appointment (slot_id bigint, patient_id bigint)");
    }

    @AfterEach
    void dropThem() {
        clinic.execute("DROP TABLE naive_slot, naive_appointment");
    }

    @Test
    void sellsSeatsThatAreNotThere() {
        long oversold = IntStream.range(0, ROUNDS)
                .mapToLong(this::race)
                .filter(sold -> sold > CAPACITY)
                .findFirst()
                .orElse(0);

        assertThat(oversold).as("patients with a seat of %d", CAPACITY).isGreaterThan(CAPACITY);
        assertThat(clinic.number("SELECT max(booked_count) FROM naive_slot"))
                .as("while the count, lost updates and all, looks innocent")
                .isLessThanOrEqualTo(CAPACITY);
    }

    /** Twenty patients at once; emits how many were given a seat. */
    private long race(int slot) {
        clinic.execute("INSERT INTO naive_slot VALUES (%d, %d, 0)".formatted(slot, CAPACITY));
        Flux.range(0, 20).flatMap(patient -> book(slot, patient), 20).then().block(Duration.ofSeconds(20));
        return clinic.number("SELECT count(*) FROM naive_appointment WHERE slot_id = " + slot);
    }

    private Mono<Boolean> book(long slot, long patient) {
        return bookedCount(slot)
                .flatMap(seen -> seen < CAPACITY ? take(slot, patient, seen).thenReturn(true) : Mono.just(false))
                .as(transaction::transactional);
    }

    private Mono<Integer> bookedCount(long slot) {
        return database.sql("SELECT booked_count FROM naive_slot WHERE id = :slot")
                .bind("slot", slot)
                .mapValue(Integer.class)
                .one();
    }

    private Mono<Void> take(long slot, long patient, int seen) {
        return database.sql("INSERT INTO naive_appointment VALUES (:slot, :patient)")
                .bind("slot", slot)
                .bind("patient", patient)
                .then()
                .then(database.sql("UPDATE naive_slot SET booked_count = :count WHERE id = :slot")
                        .bind("count", seen + 1)
                        .bind("slot", slot)
                        .then());
    }
}
