package dev.daybreak.platform.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.TestServers;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;

/** What an instance says of itself when one of its servers is away, and how soon. */
@DaybreakTest
class HealthTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    @Autowired
    ApplicationContext here;

    FaultyProxy postgres;
    FaultyProxy redis;
    ConfigurableApplicationContext there;
    Clinic clinic;

    @BeforeEach
    void startAnInstanceBehindProxies() {
        ConnectionFactoryOptions database =
                here.getBean(R2dbcConnectionDetails.class).getConnectionFactoryOptions();
        postgres = FaultyProxy.to(String.valueOf(database.getValue(ConnectionFactoryOptions.HOST)), (Integer)
                Objects.requireNonNull(database.getValue(ConnectionFactoryOptions.PORT)));
        var cache = here.getBean(DataRedisConnectionDetails.class).getStandalone();
        redis = FaultyProxy.to(cache.getHost(), cache.getPort());
        there = TestServers.anotherInstance(
                here,
                "spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:%d/%s"
                        .formatted(postgres.port(), database.getValue(ConnectionFactoryOptions.DATABASE)),
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + redis.port());
        clinic = Clinic.at(there);
    }

    @AfterEach
    void stop() {
        postgres.resume();
        redis.resume();
        there.close();
        postgres.close();
        redis.close();
    }

    @Test
    void withoutPostgresqlItLivesButIsNotReady() {
        assertThat(status("/readyz")).isEqualTo(200);

        postgres.cut();
        awaitReadiness(503);
        assertThat(status("/livez")).isEqualTo(200);
        assertThat(status("/actuator/health/readiness")).isEqualTo(503);

        postgres.resume();
        awaitReadiness(200);
    }

    @Test
    void aFrozenPostgresqlIsNoticedAndLeavesNoConnectionsBehind() {
        assertThat(status("/readyz")).isEqualTo(200);

        postgres.pause();
        awaitReadiness(503);
        long begun = System.nanoTime();
        assertThat(status("/readyz")).isEqualTo(503);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
        assertThat(status("/livez")).isEqualTo(200);

        postgres.resume();
        awaitReadiness(200);
    }

    @Test
    void aKeptConnectionThatDiedIsNoOutage() {
        for (int i = 0; i < 3; i++) {
            assertThat(status("/readyz")).isEqualTo(200);
            postgres.dropConnections();
            await().pollDelay(Duration.ofMillis(1200)).until(() -> true);
        }
    }

    @Test
    void withoutRedisItIsReadyAndWorks() {
        redis.cut();

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(clinic.get("/actuator/metrics/daybreak.redis.available")
                                .body()
                                .toString())
                        .contains("value=0.0"));
        assertThat(status("/readyz")).isEqualTo(200);
        assertThat(status("/actuator/health")).isEqualTo(200);
        long slot = new Clinic(here).slot(1);
        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey())
                        .status()
                        .value())
                .isEqualTo(201);
    }

    @Test
    void aPoolThatIsInUseToTheLastIsNoReasonToLeave() {
        ConnectionPool pool = there.getBean(ConnectionPool.class);
        int size = pool.getMetrics().orElseThrow().getMaxAllocatedSize();
        List<Connection> taken =
                Flux.range(0, size).flatMap(i -> pool.create()).collectList().block(SOON);
        try {
            await().pollDelay(Duration.ofMillis(1200)).until(() -> true);
            assertThat(status("/readyz")).isEqualTo(200);
        } finally {
            Flux.fromIterable(taken).flatMap(Connection::close).then().block(SOON);
        }
    }

    @Test
    void manyWhoAskAtOnceShareOneConnection() {
        Clinic observer = new Clinic(here);
        assertThat(status("/readyz")).isEqualTo(200);
        long before = askedForHealth(observer);

        List<Integer> answers = Flux.fromStream(IntStream.range(0, 2000).boxed())
                .flatMap(i -> clinic.calling("/readyz"), 64)
                .map(answer -> answer.status().value())
                .collectList()
                .block(SOON.multipliedBy(3));

        assertThat(answers).containsOnly(200);
        assertThat(askedForHealth(observer)).isEqualTo(before).isPositive();
    }

    private static long askedForHealth(Clinic observer) {
        return observer.number("SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT 1'");
    }

    private void awaitReadiness(int expected) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertThat(status("/readyz")).isEqualTo(expected));
    }

    private int status(String path) {
        return clinic.get(path).status().value();
    }
}
