package dev.daybreak.bench.outside;

/** Reads sorted times. */
final class Percentile {

    private Percentile() {}

    /** @return NaN if there are none */
    static double millis(long[] sortedNanos, double percent) {
        if (sortedNanos.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(sortedNanos.length * percent / 100);
        return sortedNanos[Math.max(1, rank) - 1] / 1e6;
    }
}
