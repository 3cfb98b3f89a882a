package dev.daybreak.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.flyway.autoconfigure.FlywayConnectionDetails;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;

/** An instance that reaches PostgreSQL through PgBouncer in transaction mode, with more connections than there are behind it. */
@DaybreakTest
class PgBouncerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static PgBouncer bouncer;
    private static ConfigurableApplicationContext instance;
    private static Clinic clinic;

    @BeforeAll
    static void start(
            @Autowired ApplicationContext here,
            @Autowired R2dbcConnectionDetails postgres,
            @Autowired FlywayConnectionDetails direct)
            throws Exception {
        bouncer = PgBouncer.before(postgres.getConnectionFactoryOptions());
        instance = TestServers.anotherInstance(
                here,
                "spring.r2dbc.url=" + bouncer.url(),
                "spring.flyway.url=" + direct.getJdbcUrl(),
                "spring.flyway.user=" + direct.getUsername(),
                "spring.flyway.password=" + (direct.getPassword() == null ? "none" : direct.getPassword()));
        clinic = Clinic.at(instance);
    }

    @AfterAll
    static void stop() throws Exception {
        if (instance != null) {
            instance.close();
        }
        if (bouncer != null) {
            bouncer.close();
        }
    }

    @Test
    void sellsEverySeatOnceToACrowd() {
        List<Long> slots = clinic.slots(4, 25);

        List<Answer> answers = Flux.range(0, 400)
                .flatMap(i -> clinic.booking(slots.get(i % 4), Clinic.newPatient(), Clinic.newKey()), 100)
                .collectList()
                .block(PATIENCE);

        assertThat(answers).filteredOn(answer -> answer.is(201)).hasSize(100);
        assertThat(answers).allMatch(answer -> answer.is(201) || answer.is(409));
        assertThat(slots)
                .allSatisfy(slot -> assertThat(clinic.bookedCount(slot)).isEqualTo(25));
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void holdsConfirmsMovesAndCancels() {
        List<Long> slots = clinic.slots(2, 1);
        Answer hold = clinic.hold(slots.getFirst(), Clinic.newPatient(), Clinic.newKey());
        assertThat(hold.is(201)).as("%s", hold).isTrue();

        assertThat(clinic.confirm(hold.id(), hold.token()).is(200)).isTrue();
        assertThat(clinic.move(hold.id(), slots.getLast()).is(200)).isTrue();
        assertThat(clinic.bookedCount(slots.getFirst())).isZero();
        assertThat(clinic.cancel(hold.id()).is(204)).isTrue();
        assertThat(clinic.bookedCount(slots.getLast())).isZero();
        assertThat(clinic.brokenInvariants()).isEmpty();
    }
}
