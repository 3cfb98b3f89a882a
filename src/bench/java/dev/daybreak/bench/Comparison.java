package dev.daybreak.bench;

import dev.daybreak.bench.Load.Counted;
import java.time.Duration;
import java.util.List;

/** Measures one guard three times: on one slot, on many, and when the seats run out. */
record Comparison(BenchDatabase database, Duration time) {

    static final int MANY_SLOTS = 1000;
    static final int SCARCE_SLOTS = 100;
    static final int SCARCE_CAPACITY = 10;

    private static final int PLENTY = 1_000_000;
    private static final int REQUESTS_PER_SCARCE_SEAT = 2;

    /**
     * @param oversold appointments beyond the seats, of {@value #SCARCE_SLOTS} slots of {@value #SCARCE_CAPACITY} seats
     * @param retriesPerBooking on one slot
     * @param errors of all three measurements
     */
    record Measured(
            String guard, double oneSlot, double manySlots, long oversold, double retriesPerBooking, long errors) {}

    /** Runs every guard for a moment, so that the first one measured is not the one that pays for compiling. */
    void warmUp(List<SeatGuard> guards) {
        database.seed(MANY_SLOTS, PLENTY);
        guards.forEach(guard -> Load.during(guard, MANY_SLOTS, time.dividedBy(2)));
    }

    Measured measure(SeatGuard guard) {
        Counted one = withPlenty(guard, 1);
        Counted many = withPlenty(guard, MANY_SLOTS);
        database.seed(SCARCE_SLOTS, SCARCE_CAPACITY);
        Counted scarce = Load.of(guard, SCARCE_SLOTS, SCARCE_SLOTS * SCARCE_CAPACITY * REQUESTS_PER_SCARCE_SEAT);
        expectRows(guard, scarce.accepted());
        return new Measured(
                guard.name(),
                one.acceptedPerSecond(),
                many.acceptedPerSecond(),
                database.oversold(),
                (double) one.retries() / Math.max(1, one.accepted()),
                one.errors() + many.errors() + scarce.errors());
    }

    private Counted withPlenty(SeatGuard guard, int slots) {
        database.seed(slots, PLENTY);
        Counted warmUp = Load.during(guard, slots, time.dividedBy(2));
        Counted counted = Load.during(guard, slots, time);
        expectRows(guard, warmUp.accepted() + counted.accepted());
        return counted;
    }

    private void expectRows(SeatGuard guard, long accepted) {
        long found = database.appointments();
        if (found != accepted) {
            throw new IllegalStateException(
                    guard.name() + " acknowledged " + accepted + " bookings, there are " + found);
        }
    }
}
