package dev.daybreak.admission;

/** Names in Redis. The hash tag keeps all of them in one slot of a cluster, as one script call touches many. */
final class GateKeys {

    private GateKeys() {}

    static String counter(long patientId) {
        return "{gate}:rate:" + patientId;
    }

    static String mark(long slotId) {
        return "{gate}:full:" + slotId;
    }

    static String announcement(long slotId) {
        return "{gate}:marking:" + slotId;
    }
}
