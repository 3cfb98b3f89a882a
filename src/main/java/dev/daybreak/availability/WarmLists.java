package dev.daybreak.availability;

import dev.daybreak.platform.rollout.Loopback;
import dev.daybreak.platform.rollout.WarmUp;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import reactor.core.publisher.Mono;

/** Reads lists of some doctors' next days, which nobody notices. */
final class WarmLists implements WarmUp {

    private static final int DOCTORS = 8;
    private static final int DAYS = 14;

    private final ClinicSettings clinic;
    private final Clock clock;
    private final Mono<List<Long>> doctors;

    WarmLists(Doctors doctors, ClinicSettings clinic, Clock clock) {
        this.clinic = clinic;
        this.clock = clock;
        this.doctors = doctors.some(DOCTORS).cache();
    }

    @Override
    public Mono<?> once(Loopback loopback) {
        return doctors.flatMap(ids -> {
            var random = ThreadLocalRandom.current();
            // In a clinic without doctors, the way to "no such doctor".
            long doctor = ids.isEmpty() ? 1 : ids.get(random.nextInt(ids.size()));
            String path = "/api/doctors/" + doctor + "/slots?date="
                    + clinic.dayOf(clock.instant()).plusDays(random.nextInt(DAYS));
            String format =
                    random.nextInt(8) == 0 ? MediaType.APPLICATION_NDJSON_VALUE : MediaType.APPLICATION_JSON_VALUE;
            return loopback.get(path, Map.of(HttpHeaders.ACCEPT, format));
        });
    }
}
