package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import java.time.Duration;
import java.util.function.IntPredicate;
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
 * The twins of {@link HoldRaceTest}, {@link MoveRaceTest} and the races of {@link FlexibleDoctorTest}: the same crowds, but
 * whoever confirms, moves or books looks first and writes then. Each goes wrong within a few rounds, so those crowds are races.
 * The tables are their own and lack the constraints, which would refuse what is done here.
 */
@DaybreakTest
class NaiveLifeTest {

    private static final int ROUNDS = 100;
    private static final int CROWD = 16;

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
        clinic.execute("CREATE TABLE naive_seat (slot_id bigint PRIMARY KEY, free integer)");
        clinic.execute("CREATE TABLE naive_stay (id bigint PRIMARY KEY, slot_id bigint, status text)");
        clinic.execute("CREATE TABLE naive_range (round integer, during int4range)");
    }

    @AfterEach
    void dropThem() {
        clinic.execute("DROP TABLE naive_seat, naive_stay, naive_range");
    }

    @Test
    void aHoldConfirmedAndSweptAtOnceHasTwoWinners() {
        assertThat(anyRound(round -> {
                    clinic.execute("INSERT INTO naive_stay VALUES (%d, 0, 'HELD')".formatted(round));
                    Mono<Boolean> confirmed = ifHeld(round, "BOOKED");
                    Mono<Boolean> swept = ifHeld(round, "EXPIRED");
                    return Boolean.TRUE.equals(
                            Mono.zip(confirmed, swept, Boolean::logicalAnd).block(Duration.ofSeconds(20)));
                }))
                .as("a round in which the patient was told the seat is theirs and the sweeper gave it away")
                .isTrue();
    }

    @Test
    void aCrowdThatMovesLosesOrMakesSeats() {
        assertThat(anyRound(round -> {
                    int from = 2 * round;
                    clinic.execute(
                            "INSERT INTO naive_seat VALUES (%d, 0), (%d, %d)".formatted(from, from + 1, CROWD / 2));
                    Flux.range(0, CROWD)
                            .flatMap(patient -> move(from, from + 1), CROWD)
                            .then()
                            .block(Duration.ofSeconds(20));
                    return clinic.number("SELECT sum(free) FROM naive_seat WHERE slot_id IN (%d, %d)"
                                    .formatted(from, from + 1))
                            != CROWD / 2;
                }))
                .as("a round after which the two slots have more or fewer free seats together than before")
                .isTrue();
    }

    @Test
    void aCrowdThatWantsOneDoctorGetsOverlappingTimes() {
        assertThat(anyRound(round -> {
                    Flux.range(0, CROWD)
                            .flatMap(patient -> bookRange(round, patient % 3), CROWD)
                            .then()
                            .block(Duration.ofSeconds(20));
                    return clinic.number("SELECT count(*) FROM naive_range WHERE round = " + round) > 1;
                }))
                .as("a round in which two of times that all overlap were booked")
                .isTrue();
    }

    private static boolean anyRound(IntPredicate wentWrong) {
        return IntStream.range(0, ROUNDS).anyMatch(wentWrong);
    }

    private Mono<Boolean> ifHeld(int stay, String next) {
        return database.sql("SELECT status FROM naive_stay WHERE id = " + stay)
                .mapValue(String.class)
                .one()
                .flatMap(status -> status.equals("HELD")
                        ? run("UPDATE naive_stay SET status = '%s' WHERE id = %d".formatted(next, stay))
                                .thenReturn(true)
                        : Mono.just(false))
                .as(transaction::transactional);
    }

    private Mono<Void> move(int from, int to) {
        return free(to).flatMap(there -> there == 0
                        ? Mono.<Void>empty()
                        : free(from).flatMap(here -> set(from, here + 1).then(set(to, there - 1))))
                .as(transaction::transactional);
    }

    private Mono<Integer> free(int slot) {
        return database.sql("SELECT free FROM naive_seat WHERE slot_id = " + slot)
                .mapValue(Integer.class)
                .one();
    }

    private Mono<Void> set(int slot, int free) {
        return run("UPDATE naive_seat SET free = %d WHERE slot_id = %d".formatted(free, slot));
    }

    private Mono<Void> bookRange(int round, int start) {
        String range = "int4range(%d, %d)".formatted(start, start + 3);
        return database.sql(
                        "SELECT count(*) FROM naive_range WHERE round = %d AND during && %s".formatted(round, range))
                .mapValue(Long.class)
                .one()
                .filter(taken -> taken == 0)
                .flatMap(none -> run("INSERT INTO naive_range VALUES (%d, %s)".formatted(round, range)))
                .as(transaction::transactional);
    }

    private Mono<Void> run(String statement) {
        return database.sql(statement).then();
    }
}
