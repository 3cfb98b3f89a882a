package dev.daybreak.bench.outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Requests that arrive at a constant rate, whatever becomes of those before. The time of each counts from when it was due. */
final class OpenLoad implements Caller.Listener {

    private static final Duration CONNECTING = Duration.ofSeconds(20);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(30);

    private final Wire wire;
    private final Queue<Caller> idle = new ArrayDeque<>();
    private Result result = new Result(0, 1, new int[0], new long[0]);
    private int finished;

    OpenLoad(Wire wire, int connections) {
        this.wire = wire;
        for (int i = 0; i < connections; i++) {
            wire.connect(new Caller(this));
        }
        assertThat(wire.turnUntil(() -> idle.size() == connections, CONNECTING))
                .as("connects in time")
                .isTrue();
    }

    /**
     * What became of each request.
     *
     * @param start when the first was due, in nanoseconds as all times here
     * @param status of the answer; 0 for none, {@link #LOST} if the connection was closed instead
     * @param answeredAt when the answer had arrived
     */
    record Result(long start, double rate, int[] status, long[] answeredAt) {

        static final int LOST = -1;

        long dueAt(int number) {
            return start + (long) (number * 1e9 / rate);
        }

        Map<Integer, Integer> countByStatus() {
            var counts = new TreeMap<Integer, Integer>();
            Arrays.stream(status).forEach(one -> counts.merge(one, 1, Integer::sum));
            return counts;
        }

        long[] latencies(IntPredicate ofStatus) {
            return IntStream.range(0, status.length)
                    .filter(i -> ofStatus.test(status[i]))
                    .mapToLong(i -> answeredAt[i] - dueAt(i))
                    .sorted()
                    .toArray();
        }

        long lastAnswerAt(IntPredicate ofStatus) {
            return start
                    + IntStream.range(0, status.length)
                            .filter(i -> ofStatus.test(status[i]))
                            .mapToLong(i -> answeredAt[i] - start)
                            .max()
                            .orElse(0);
        }

        /** Answers a second. */
        double reached() {
            long answers = Arrays.stream(status).filter(one -> one > 0).count();
            return answers * 1e9 / (lastAnswerAt(one -> one > 0) - start);
        }
    }

    Result run(double rate, double seconds, IntFunction<byte[]> request) {
        int total = (int) (rate * seconds);
        result = new Result(System.nanoTime(), rate, new int[total], new long[total]);
        finished = 0;
        long end = result.dueAt(total) + LAST_ANSWERS.toNanos();
        int sent = 0;
        while (finished < total && System.nanoTime() - end < 0) {
            while (sent < total && System.nanoTime() - result.dueAt(sent) >= 0 && !idle.isEmpty()) {
                idle.remove().call(sent, request.apply(sent));
                sent++;
            }
            wire.turn();
        }
        return result;
    }

    @Override
    public void ready(Caller caller) {
        idle.add(caller);
    }

    @Override
    public void answered(int number, int status) {
        result.status()[number] = status;
        result.answeredAt()[number] = System.nanoTime();
        finished++;
    }

    @Override
    public void lost(Caller caller, int number) {
        idle.remove(caller);
        if (number >= 0) {
            result.status()[number] = Result.LOST;
            finished++;
        }
        wire.connect(new Caller(this));
    }
}
