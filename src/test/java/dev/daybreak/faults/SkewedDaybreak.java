package dev.daybreak.faults;

import dev.daybreak.Daybreak;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** The service with a clock that is off by as many milliseconds as a file says. Ends with the process that started it. */
final class SkewedDaybreak {

    private static final Duration LOOK = Duration.ofMillis(20);

    public static void main(String[] args) {
        ProcessHandle.current()
                .parent()
                .ifPresent(parent ->
                        parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
        new SpringApplicationBuilder(Daybreak.class, SkewedDaybreak.class).run(args);
    }

    @Bean
    @Primary
    Clock skewedClock() {
        var clock = new SkewedClock(Path.of(System.getProperty("daybreak.test.clock")));
        Thread.ofPlatform().daemon().start(clock::follow);
        return clock;
    }

    private static final class SkewedClock extends Clock {

        private final Path file;
        private volatile long millis;

        SkewedClock(Path file) {
            this.file = file;
        }

        void follow() {
            while (true) {
                try {
                    String text = Files.readString(file).strip();
                    millis = text.isEmpty() ? millis : Long.parseLong(text);
                } catch (IOException e) {
                    return; // the test is over
                }
                Stage.pause(LOOK);
            }
        }

        @Override
        public Instant instant() {
            return Instant.now().plusMillis(millis).truncatedTo(ChronoUnit.MICROS);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return Clock.offset(Clock.system(zone), Duration.ofMillis(millis));
        }
    }
}
