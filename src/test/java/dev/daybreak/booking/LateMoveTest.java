package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.TestServers;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.context.ApplicationContext;

/** A move that got no answer, was repeated at another instance and followed by another one, and only then is carried out. */
@DaybreakTest
class LateMoveTest {

    private static final Duration OUT_OF_DATE = Duration.ofMillis(1_500);

    @Autowired
    ApplicationContext here;

    Clinic clinic;
    List<Long> slots;
    long appointment;

    @BeforeEach
    void book() {
        clinic = Clinic.at(here);
        slots = clinic.slots(3, 1);
        appointment =
                clinic.book(slots.get(0), Clinic.newPatient(), Clinic.newKey()).id();
    }

    @Test
    void movesNobodyBackWhenTheWayToTheDatabaseStoodStill(@Autowired R2dbcConnectionDetails postgres) throws Exception {
        ConnectionFactoryOptions address = postgres.getConnectionFactoryOptions();
        try (var proxy = FaultyProxy.to((String) address.getRequiredValue(ConnectionFactoryOptions.HOST), (Integer)
                        address.getRequiredValue(ConnectionFactoryOptions.PORT));
                var other = TestServers.anotherInstance(
                        here,
                        "spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:%d/%s"
                                .formatted(proxy.port(), address.getRequiredValue(ConnectionFactoryOptions.DATABASE)),
                        "daybreak.booking.sweep=0")) {
            proxy.pause();
            CompletableFuture<Answer> late =
                    Clinic.at(other).moving(appointment, slots.get(1)).toFuture();
            Thread.sleep(OUT_OF_DATE);
            assertThat(clinic.move(appointment, slots.get(1)).is(200)).isTrue();
            assertThat(clinic.move(appointment, slots.get(2)).is(200)).isTrue();

            proxy.resume();

            Answer answer = late.get(30, TimeUnit.SECONDS);
            assertThat(answer.is(503)).as("%s", answer).isTrue();
            assertThat(answer.code()).isEqualTo("BUSY");
        }
        assertIn(slots.get(2), 3);
    }

    @Test
    void movesNobodyBackWhenTheStatementItselfLayOnTheWay() {
        clinic.move(appointment, slots.get(1));
        clinic.move(appointment, slots.get(2));

        long changed = clinic.number("""
                SELECT count(*) FROM move_batch(ARRAY [%d::bigint], ARRAY [%d::bigint], ARRAY ['patient'], now(), NULL, ARRAY [1])
                WHERE outcome = 'CHANGED'""".formatted(appointment, slots.get(1)));

        assertThat(changed).isEqualTo(1);
        assertIn(slots.get(2), 3);
    }

    @Test
    void findsThatItIsThereAlready() {
        clinic.move(appointment, slots.get(1));

        long unchanged = clinic.number("""
                SELECT count(*) FROM move_batch(ARRAY [%d::bigint], ARRAY [%d::bigint], ARRAY ['patient'], now(), NULL, ARRAY [1])
                WHERE outcome = 'UNCHANGED'""".formatted(appointment, slots.get(1)));

        assertThat(unchanged).isEqualTo(1);
        assertIn(slots.get(1), 2);
    }

    private void assertIn(long slot, int revision) {
        assertThat(clinic.number("SELECT slot_id FROM appointment WHERE id = " + appointment))
                .isEqualTo(slot);
        assertThat(clinic.number("SELECT revision::bigint FROM appointment WHERE id = " + appointment))
                .isEqualTo(revision);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }
}
