package dev.daybreak.booking;

import dev.daybreak.platform.security.Secret;

/** What a hold is kept, confirmed and released with: a secret known to the client alone. */
record HoldToken(String value) {

    static final String HEADER = "Hold-Token";

    static HoldToken random() {
        return new HoldToken(Secret.random().reveal());
    }

    /** What is stored of it. */
    String hash() {
        return Secret.hexHash(value);
    }

    /** Keeps it out of logs. */
    @Override
    public String toString() {
        return "HoldToken[…]";
    }
}
