package dev.daybreak.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

/** A live feed is an answer that takes its time, which none of the limits of requests cuts short. */
@DaybreakTest
class FeedUnderLimitsTest {

    @Autowired
    ApplicationContext service;

    @Test
    void staysOpenLongerThanAnyLimit() throws IOException, InterruptedException {
        long doctor = new Clinic(service).doctor();
        try (var strict = TestServers.anotherInstance(
                        service,
                        "daybreak.web.request-timeout=300ms",
                        "daybreak.web.idle-timeout=300ms",
                        "daybreak.web.stall-timeout=300ms",
                        "daybreak.feed.heartbeat=400ms");
                Wire watcher =
                        new Wire(Integer.parseInt(strict.getEnvironment().getRequiredProperty("local.server.port")))) {
            watcher.send("GET /api/doctors/" + doctor + "/slots?date=" + LocalDate.now(ZoneOffset.UTC)
                    + " HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");

            assertThat(watcher.some()).startsWith("HTTP/1.1 200");
            for (int i = 0; i < 6; i++) {
                Thread.sleep(500);
                assertThat(watcher.some()).as("after %s ms", 500 * i).isNotEmpty();
            }
        }
    }
}
