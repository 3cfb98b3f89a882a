package dev.daybreak.admission;

import dev.daybreak.admission.Verdict.Admitted;
import dev.daybreak.admission.Verdict.KnownFull;
import dev.daybreak.admission.Verdict.TooOften;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what the gate decides, as {@code daybreak.gate.decisions} by decision, and how often it decides without Redis. */
final class GateMetrics {

    private final Counter admitted;
    private final Counter knownFull;
    private final Counter tooOften;
    private final Counter withoutRedis;

    GateMetrics(MeterRegistry meters) {
        this.admitted = decisions(meters, "admitted");
        this.knownFull = decisions(meters, "known-full");
        this.tooOften = decisions(meters, "rate-limited");
        this.withoutRedis = Counter.builder("daybreak.gate.without.redis")
                .description("Requests judged by this instance alone because Redis did not answer")
                .baseUnit("requests")
                .register(meters);
    }

    void count(Verdict verdict) {
        switch (verdict) {
            case Admitted yes -> admitted.increment();
            case KnownFull full -> knownFull.increment();
            case TooOften no -> tooOften.increment();
        }
    }

    void withoutRedis() {
        withoutRedis.increment();
    }

    private static Counter decisions(MeterRegistry meters, String decision) {
        return Counter.builder("daybreak.gate.decisions")
                .description("Booking requests by what the gate decided")
                .baseUnit("requests")
                .tag("decision", decision)
                .register(meters);
    }
}
