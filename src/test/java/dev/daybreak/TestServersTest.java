package dev.daybreak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.r2dbc.core.DatabaseClient;

@DaybreakTest
class TestServersTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    @Autowired
    ApplicationContext first;

    @Autowired
    Clock clock;

    @Autowired
    MutableClock time;

    @AfterEach
    void letTimePass() {
        time.reset();
    }

    @Test
    void twoInstancesShareTheServers() {
        execute(first, "INSERT INTO doctor (id, name, specialty) VALUES (900001, 'Shared', 'test')");
        redis(first).opsForValue().set("test:shared", "seen").block(SOON);

        try (ConfigurableApplicationContext second = TestServers.anotherInstance(first)) {
            assertThat(second.getEnvironment().getProperty("local.server.port"))
                    .isNotEqualTo(first.getEnvironment().getProperty("local.server.port"));
            assertThat(text(second, "SELECT name FROM doctor WHERE id = 900001"))
                    .isEqualTo("Shared");
            assertThat(redis(second).opsForValue().get("test:shared").block(SOON))
                    .isEqualTo("seen");
        } finally {
            execute(first, "DELETE FROM doctor WHERE id = 900001");
        }
        assertThat(text(first, "SELECT 'still there'")).isEqualTo("still there");
    }

    @Test
    void anInstanceMayHaveADatabaseOfItsOwn() throws Exception {
        try (ConfigurableApplicationContext second =
                TestServers.anotherInstance(first, TestServers.freshDatabase(first))) {
            assertThat(text(second, "SELECT current_database()::text")).startsWith("fresh_");
            assertThat(text(second, "SELECT count(*)::text FROM doctor WHERE id = 900001"))
                    .isEqualTo("0");
        }
    }

    @Test
    void theClockCanBeSet() {
        time.set(Instant.parse("2026-10-12T05:00:00Z"));
        time.advance(Duration.ofMinutes(5));

        assertThat(clock.instant()).isEqualTo("2026-10-12T05:05:00Z");
    }

    private static void execute(ApplicationContext context, String sql) {
        context.getBean(DatabaseClient.class).sql(sql).then().block(SOON);
    }

    private static String text(ApplicationContext context, String sql) {
        return context.getBean(DatabaseClient.class)
                .sql(sql)
                .mapValue(String.class)
                .one()
                .block(SOON);
    }

    private static ReactiveStringRedisTemplate redis(ApplicationContext context) {
        return context.getBean(ReactiveStringRedisTemplate.class);
    }
}
