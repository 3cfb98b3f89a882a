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

    /** Among the members of a mark. Not to be taken for an idempotency key, which has no space in it. */
    static String holder(long patientId) {
        return "holder " + patientId;
    }

    static String announcement(long slotId) {
        return "{gate}:marking:" + slotId;
    }
}
