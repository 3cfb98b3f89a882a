package dev.daybreak.pages;

import dev.daybreak.Clinic;
import dev.daybreak.MutableClock;
import dev.daybreak.TestServers;
import java.sql.SQLException;
import java.time.Instant;
import java.util.stream.Stream;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** An empty clinic on the morning of Monday, 5 October 2026, with a database and browsers of its own. */
final class MondayMorning implements AutoCloseable {

    private static final Instant NOW = Instant.parse("2026-10-05T06:12:00Z");

    private final Browsers browsers;
    private final ConfigurableApplicationContext service;

    private MondayMorning(Browsers browsers, ConfigurableApplicationContext service) {
        this.browsers = browsers;
        this.service = service;
    }

    /**
     * Skips the test where there is no browser.
     *
     * @param redis the number of Redis's database, another one for each test
     */
    static MondayMorning of(ApplicationContext servers, int redis, String... properties) throws SQLException {
        Browsers browsers = Browsers.start();
        var morning = new MondayMorning(
                browsers,
                TestServers.anotherInstance(
                        servers,
                        Stream.concat(
                                        Stream.of(
                                                TestServers.freshDatabase(servers),
                                                "daybreak.demo.enabled=false",
                                                "spring.data.redis.database=" + redis),
                                        Stream.of(properties))
                                .toArray(String[]::new)));
        morning.clock().set(NOW);
        return morning;
    }

    /** Whatever the clock has been set to. */
    void comesAgain() {
        clock().set(NOW);
    }

    MutableClock clock() {
        return service.getBean(MutableClock.class);
    }

    Clinic clinic() {
        return Clinic.at(service);
    }

    Window window(long patient, Window.Look look) {
        return browsers.window(
                "http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port"), patient, look);
    }

    @Override
    public void close() {
        service.close();
        browsers.close();
    }
}
