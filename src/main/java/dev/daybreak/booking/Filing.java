package dev.daybreak.booking;

import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.time.Recurring;
import java.time.Clock;
import java.time.Duration;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/**
 * Files appointments of long ago, by the function {@code file_appointments}: they leave the indexes that bookings write to, and nobody
 * sees a difference but that they cannot be cancelled or moved any more. Instances take turns.
 */
final class Filing extends Recurring {

    // A few hundredths of a second, in which nobody waits: rows of long ago.
    private static final int BATCH = 1_000;
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final Duration BREATH = Duration.ofMillis(100);

    private static final String FILE = "SELECT file_appointments($1, $2, $3)";

    private final DatabaseClient database;
    private final Clock clock;
    private final Duration after;

    Filing(DatabaseClient database, Clock clock, BookingSettings settings) {
        super("Filing past appointments", PAUSE, settings.fileAfter().isZero() ? Duration.ZERO : PAUSE);
        this.database = database;
        this.clock = clock;
        this.after = settings.fileAfter();
    }

    /** Files a batch of what is due, and emits how many appointments were looked at; fewer than a batch when there are no more. */
    Mono<Integer> file(int batch) {
        return Mono.defer(() -> Detached.run(database.sql(FILE)
                .bind(0, clock.instant().minus(after))
                .bind(1, clock.instant().minus(after).minus(BookingSettings.FURTHEST))
                .bind(2, batch)
                .mapValue(Integer.class)
                .one()));
    }

    @Override
    protected Mono<?> work() {
        return file(BATCH)
                .repeatWhen(rounds -> rounds.delayElements(BREATH))
                .takeUntil(looked -> looked < BATCH)
                .then();
    }
}
