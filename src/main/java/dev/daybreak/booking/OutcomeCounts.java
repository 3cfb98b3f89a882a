package dev.daybreak.booking;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts what became of requests for a seat, refusals by the gate included, as {@code daybreak.booking.outcomes}. */
final class OutcomeCounts {

    private final Map<Class<?>, Counter> bookings;
    private final Map<Class<?>, Counter> holds;

    OutcomeCounts(MeterRegistry meters) {
        this.bookings = counters(meters, "booking");
        this.holds = counters(meters, "hold");
    }

    void booked(BookingOutcome outcome) {
        count(bookings, outcome);
    }

    void held(BookingOutcome outcome) {
        count(holds, outcome);
    }

    private static void count(Map<Class<?>, Counter> counters, BookingOutcome outcome) {
        Counter counter = counters.get(outcome.getClass());
        if (counter != null) {
            counter.increment();
        }
    }

    /** All of them from the start, so that a first refusal shows as a rise. */
    private static Map<Class<?>, Counter> counters(MeterRegistry meters, String of) {
        return outcomes(BookingOutcome.class)
                .collect(Collectors.toUnmodifiableMap(
                        outcome -> outcome,
                        outcome -> Counter.builder("daybreak.booking.outcomes")
                                .description("Requests for a seat by what became of them")
                                .baseUnit("requests")
                                .tag("of", of)
                                .tag("outcome", name(outcome))
                                .register(meters)));
    }

    private static Stream<Class<?>> outcomes(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(OutcomeCounts::outcomes)
                : Stream.of(type);
    }

    /** {@code slot-full} for {@code SlotFull}. */
    private static String name(Class<?> outcome) {
        return outcome.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
