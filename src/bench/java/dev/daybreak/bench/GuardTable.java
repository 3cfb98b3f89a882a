package dev.daybreak.bench;

import dev.daybreak.bench.Comparison.Measured;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The result as a Markdown table. */
record GuardTable(List<Measured> rows, Measured reference, String server, double seconds) {

    String markdown() {
        return """
                <!-- Written by `./mvnw -Pbench verify`. -->

                | way to guard a seat | one slot | ratio | %,d slots | ratio | oversold, of %,d seats | retries a booking | errors |
                | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                %s

                ![The same as bars](guards.svg)

                Accepted bookings a second by %d clients over %d connections, %s s each after a warm-up, on PostgreSQL %s with commits flushed to disk. \
                Ratios are to the conditional update; they carry over to other machines, the absolute figures do not. \
                Retries are those on one slot; a request that gave up or failed is an error.
                """.formatted(
                        Comparison.MANY_SLOTS,
                        Comparison.SCARCE_SLOTS * Comparison.SCARCE_CAPACITY,
                        rows.stream().map(this::row).collect(Collectors.joining("\n")),
                        Load.CLIENTS,
                        BenchDatabase.POOL,
                        Math.round(seconds * 10) / 10.0,
                        server);
    }

    private String row(Measured measured) {
        return String.format(
                Locale.ROOT,
                "| %s | %,.0f | %.2f | %,.0f | %.2f | %s | %.1f | %,d |",
                measured.guard(),
                measured.oneSlot(),
                measured.oneSlot() / reference.oneSlot(),
                measured.manySlots(),
                measured.manySlots() / reference.manySlots(),
                measured.oversold() == 0 ? "0" : "**" + measured.oversold() + "**",
                measured.retriesPerBooking(),
                measured.errors());
    }
}
