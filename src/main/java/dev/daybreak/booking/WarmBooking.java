package dev.daybreak.booking;

import dev.daybreak.platform.rollout.Loopback;
import dev.daybreak.platform.rollout.WarmUp;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import reactor.core.publisher.Mono;

/**
 * Asks for seats of slots that are not there: through HTTP, and past it, since without a token a request may be refused at the door.
 * Leaves nothing but the gate's counters of attempts, which end by themselves.
 */
final class WarmBooking implements WarmUp {

    /** Beyond every real number, and within what JSON can carry. */
    private static final long NOWHERE = 1L << 52;

    private final BookingDesk desk;

    WarmBooking(BookingDesk desk) {
        this.desk = desk;
    }

    @Override
    public Mono<?> once(Loopback loopback) {
        var random = ThreadLocalRandom.current();
        long slot = NOWHERE + random.nextInt(64);
        long patient = NOWHERE + random.nextLong(NOWHERE);
        var key = new IdempotencyKey("warm-" + patient);
        return loopback.post(
                        "/api/appointments",
                        Map.of(BookAppointmentRequest.KEY_HEADER, key.value()),
                        "{\"slotId\":" + slot + ",\"patientId\":" + patient + "}")
                .then(desk.book(new BookingRequest(slot, patient, key)));
    }
}
