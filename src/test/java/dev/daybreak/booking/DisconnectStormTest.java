package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import io.r2dbc.pool.ConnectionPool;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufMono;
import reactor.netty.http.client.HttpClient;

/**
 * Ten thousand patients who leave before they are answered. A request that is cancelled down to the driver could leave a
 * transaction open in the pool, and the next patient's booking would be rolled back with it.
 */
@DaybreakTest
class DisconnectStormTest {

    private static final int PATIENTS = 10_000;
    private static final int AT_ONCE = 200;

    @Autowired
    ApplicationContext service;

    @Autowired
    ConnectionPool pool;

    @LocalServerPort
    int port;

    Clinic clinic;

    @BeforeEach
    void openTheClinic() {
        clinic = Clinic.at(service);
    }

    @Test
    void leavesNothingOpenAndBreaksNothing() {
        List<Long> slots = clinic.slots(100, 100);
        var random = new Random(5);

        long answered = Flux.range(0, PATIENTS)
                .flatMap(
                        patient -> bookAndLeave(
                                slots.get(patient % slots.size()), Duration.ofNanos(random.nextInt(5_000_000))),
                        AT_ONCE)
                .count()
                .block(Duration.ofSeconds(90));

        assertThat(answered).as("who stayed long enough").isLessThan(PATIENTS / 2);
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(pool.getMetrics().orElseThrow().acquiredSize()).isZero();
            assertThat(pool.getMetrics().orElseThrow().pendingAcquireSize()).isZero();
            assertThat(clinic.number("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"))
                    .isZero();
        });
        assertThat(clinic.brokenInvariants()).isEmpty();
        assertThat(slots.stream().mapToLong(clinic::active).sum())
                .as("bookings of those who left, which were in the database's hands by then")
                .isGreaterThan(PATIENTS / 10);
        everyAcknowledgedBookingIsThere();
    }

    /** Through every connection of the pool several times over: a transaction left open would swallow some of these. */
    private void everyAcknowledgedBookingIsThere() {
        long slot = clinic.slot(1_000);

        List<Answer> answers = Flux.range(0, 500)
                .flatMap(i -> clinic.booking(slot, Clinic.newPatient(), Clinic.newKey()), 50)
                .collectList()
                .block(Duration.ofSeconds(30));

        assertThat(answers).hasSize(500).allMatch(answer -> answer.is(201));
        assertThat(clinic.active(slot)).isEqualTo(500).isEqualTo(clinic.bookedCount(slot));
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    /** Sends a booking over a connection of its own and closes it so long after; emits the status if it came before. */
    private Mono<Integer> bookAndLeave(long slot, Duration patience) {
        String body = "{\"slotId\": %d, \"patientId\": %d}".formatted(slot, Clinic.newPatient());
        return HttpClient.newConnection()
                .baseUrl("http://127.0.0.1:" + port)
                .headers(headers ->
                        headers.set("Content-Type", "application/json").set("Idempotency-Key", Clinic.newKey()))
                .doAfterRequest((request, connection) -> connection
                        .channel()
                        .eventLoop()
                        .schedule(() -> connection.channel().close(), patience.toNanos(), TimeUnit.NANOSECONDS))
                .post()
                .uri("/api/appointments")
                .send(ByteBufMono.fromString(Mono.just(body)))
                .responseSingle((response, content) ->
                        content.asString().thenReturn(response.status().code()))
                .onErrorComplete();
    }
}
