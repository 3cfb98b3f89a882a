package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Appointments of long ago, in a database of their own: filed at once by the test, and by nobody else. */
@DaybreakTest
class FilingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static ConfigurableApplicationContext service;
    private static Clinic clinic;
    private static Filing filing;

    private final long patient = Clinic.newPatient();

    @BeforeAll
    static void start(@Autowired ApplicationContext here) throws Exception {
        service = TestServers.anotherInstance(
                here, TestServers.freshDatabase(here), "daybreak.booking.file-after=0", "daybreak.demo.enabled=false");
        clinic = Clinic.at(service);
        filing = service.getBean(Filing.class);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void isNotToBeSeen() {
        List<Long> slots = clinic.slots(2, 3);
        long booked = book(slots.getFirst(), Clinic.newKey()).id();
        long cancelled = book(slots.getLast(), Clinic.newKey()).id();
        clinic.cancel(cancelled);
        longAgo(booked, cancelled);
        String list = "/api/patients/" + patient + "/appointments";
        List<Object> before = seen(list, booked, cancelled);

        file();

        assertThat(filed(booked, cancelled)).isEqualTo(2);
        assertThat(seen(list, booked, cancelled)).isEqualTo(before);
        assertThat(clinic.get(list + "?status=BOOKED").body().toString()).contains("id=" + booked);
        assertThat(clinic.bookedCount(slots.getFirst())).isEqualTo(1);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void leavesWhatIsAhead() {
        long ahead = book(clinic.slot(1), Clinic.newKey()).id();

        file();

        assertThat(filed(ahead)).isZero();
    }

    @Test
    void comesBackForWhatWasBookedFarAhead() {
        long early = book(clinic.slot(1), Clinic.newKey()).id();
        clinic.execute("UPDATE filing SET upto = " + (early - 1));
        clinic.execute("UPDATE appointment SET created_at = created_at - interval '100 days' WHERE id = " + early);
        file();
        assertThat(filed(early)).isZero();
        longAgo(early);
        file();
        assertThat(filed(early)).as("passed by at the first visit").isZero();

        clinic.execute("UPDATE appointment SET created_at = created_at - interval '400 days' WHERE id = " + early);
        file();

        assertThat(filed(early)).isEqualTo(1);
    }

    @Test
    void isTooLateForChanges() {
        List<Long> slots = clinic.slots(2, 1);
        long past = book(slots.getFirst(), Clinic.newKey()).id();
        longAgo(past);
        file();

        for (Answer answer : List.of(clinic.cancel(past), clinic.move(past, slots.getLast()))) {
            assertThat(answer.is(409)).as("%s", answer).isTrue();
            assertThat(answer.code()).isEqualTo("TOO_LATE");
        }
        assertThat(clinic.move(past, slots.getFirst()).is(200))
                .as("it is there")
                .isTrue();
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void confirmsAHoldAgainThatWasConfirmed() {
        Answer hold = clinic.hold(clinic.slot(1), patient, Clinic.newKey());
        clinic.confirm(hold.id(), hold.token());
        longAgo(hold.id());
        file();

        assertThat(clinic.confirm(hold.id(), hold.token()).is(200)).isTrue();
    }

    @Test
    void letsAKeyMakeOneAppointmentForEver() {
        List<Long> slots = clinic.slots(2, 2);
        String key = Clinic.newKey();
        long past = book(slots.getFirst(), key).id();
        longAgo(past);
        file();

        Answer again = clinic.book(slots.getFirst(), patient, key);
        Answer other = clinic.book(slots.getLast(), patient, key);
        Answer stranger = clinic.book(slots.getLast(), Clinic.newPatient(), key);

        assertThat(again.is(200)).as("%s", again).isTrue();
        assertThat(again.id()).isEqualTo(past);
        assertThat(List.of(other, stranger)).allMatch(answer -> answer.code().equals("IDEMPOTENCY_KEY_REUSED"));
        assertThat(clinic.number("SELECT count(*) FROM appointment WHERE idempotency_key = '" + key + "'"))
                .isEqualTo(1);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void letsAKeyMakeOneAppointmentWhileItIsBeingFiled() {
        List<Long> slots = clinic.slots(2, 40);
        String key = Clinic.newKey();
        long past = book(slots.getFirst(), key).id();
        longAgo(past);
        CompletableFuture<List<Answer>> others;
        Connection session =
                Mono.from(service.getBean(ConnectionFactory.class).create()).block(PATIENCE);
        try {
            run(session, "BEGIN");
            run(session, "UPDATE appointment SET filed = true, status = 'PAST' WHERE id = " + past);

            others = Flux.merge(
                            clinic.booking(slots.getLast(), Clinic.newPatient(), key),
                            clinic.booking(slots.getLast(), Clinic.newPatient(), Clinic.newKey()))
                    .collectList()
                    .toFuture();
            await().atMost(PATIENCE)
                    .until(() ->
                            clinic.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") > 0);
            run(session, "COMMIT");
        } finally {
            Mono.from(session.close()).block(PATIENCE);
        }

        assertThat(others.orTimeout(30, java.util.concurrent.TimeUnit.SECONDS).join())
                .extracting(answer -> answer.status().value())
                .containsExactlyInAnyOrder(422, 201);
        assertThat(clinic.number("SELECT count(*) FROM appointment WHERE idempotency_key = '" + key + "'"))
                .isEqualTo(1);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void isDoneOnceByInstancesSideBySide() {
        long slot = clinic.slot(100);
        long[] ids = Stream.generate(() -> clinic.book(slot, Clinic.newPatient(), Clinic.newKey()))
                .limit(100)
                .mapToLong(Answer::id)
                .toArray();
        longAgo(ids);

        List<Integer> looked =
                Flux.range(0, 60).flatMap(i -> filing.file(7), 4).collectList().block(PATIENCE);
        file();

        assertThat(looked).allMatch(count -> count <= 7);
        assertThat(filed(ids)).isEqualTo(100);
        assertThat(clinic.number("SELECT count(*) FROM appointment WHERE status = 'PAST' AND slot_id = " + slot))
                .isEqualTo(100);
    }

    private Answer book(long slot, String key) {
        Answer answer = clinic.book(slot, patient, key);
        assertThat(answer.is(201)).as("%s", answer).isTrue();
        return answer;
    }

    private static List<Object> seen(String list, long... ids) {
        return Stream.concat(
                        Stream.of(clinic.get(list).body()),
                        java.util.Arrays.stream(ids)
                                .mapToObj(id -> clinic.send(HttpMethod.GET, "/api/appointments/" + id, Map.of(), null)
                                        .body()))
                .map(Object.class::cast)
                .toList();
    }

    /** As if all of it had been half a year earlier. */
    private static void longAgo(long... ids) {
        for (long id : ids) {
            clinic.execute("""
                    UPDATE appointment SET start_at = start_at - interval '200 days', end_at = end_at - interval '200 days',
                        created_at = created_at - interval '200 days'
                    WHERE id = """ + id);
        }
    }

    private static void file() {
        while (filing.file(1_000).block(PATIENCE) == 1_000) {
            // more to come
        }
    }

    private static long filed(long... ids) {
        String list = java.util.Arrays.toString(ids).replace('[', '(').replace(']', ')');
        return clinic.number("SELECT count(*) FROM appointment WHERE filed AND id IN " + list);
    }

    private static void run(Connection session, String sql) {
        Mono.from(session.createStatement(sql).execute())
                .flatMap(result -> Mono.from(result.getRowsUpdated()))
                .block(PATIENCE);
    }
}
