package dev.daybreak.booking;

import org.jspecify.annotations.Nullable;

/**
 * What whoever has a hold wants done with it.
 *
 * @param tokenHash of the token that was sent, if one was
 */
record HoldChange(long holdId, Kind kind, @Nullable String tokenHash) {

    enum Kind {
        EXTEND,
        RELEASE,
        CONFIRM
    }
}
