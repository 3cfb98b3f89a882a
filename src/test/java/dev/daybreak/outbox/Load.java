package dev.daybreak.outbox;

import static dev.daybreak.outbox.Outbox.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What became of 32 patients who booked one after another for a while. */
record Load(int bookings, long perSecond, Duration p99) {

    private static final int PATIENTS = 32;

    static Load offer(Clinic clinic, Duration length) {
        List<Long> slots = clinic.slots(50, 1_000_000);
        Queue<Long> times = new ConcurrentLinkedQueue<>();
        long start = System.nanoTime();
        List<Integer> statuses = Flux.range(0, PATIENTS)
                .flatMap(
                        patient -> timed(clinic, slots.get(patient % slots.size()), times)
                                .repeat(() -> System.nanoTime() - start < length.toNanos()),
                        PATIENTS)
                .collectList()
                .block(length.plus(PATIENCE));
        double seconds = (System.nanoTime() - start) / 1e9;
        assertThat(statuses).hasSameSizeAs(times).containsOnly(201);
        List<Long> sorted = times.stream().sorted().toList();
        return new Load(
                sorted.size(),
                (long) (sorted.size() / seconds),
                Duration.ofNanos(sorted.get(sorted.size() * 99 / 100)));
    }

    private static Mono<Integer> timed(Clinic clinic, long slot, Queue<Long> times) {
        return Mono.defer(() -> {
            long asked = System.nanoTime();
            return clinic.booking(slot, Clinic.newPatient(), Clinic.newKey())
                    .doOnNext(answer -> times.add(System.nanoTime() - asked))
                    .map(answer -> answer.status().value());
        });
    }

    @Override
    public String toString() {
        return "%,d bookings, %,d a second, p99 %d ms".formatted(bookings, perSecond, p99.toMillis());
    }
}
