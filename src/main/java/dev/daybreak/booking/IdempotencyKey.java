package dev.daybreak.booking;

/**
 * What a client sends with a booking so that repeating it cannot book twice: 1 to 64 visible ASCII characters, chosen by the
 * client, unique over all patients and for ever. Only committed appointments are remembered under a key.
 */
public record IdempotencyKey(String value) {

    static final int MAX_LENGTH = 64;

    /** @throws IllegalArgumentException if {@link #isValid} says no */
    public IdempotencyKey {
        if (!isValid(value)) {
            throw new IllegalArgumentException("1 to 64 visible ASCII characters");
        }
    }

    static boolean isValid(String value) {
        return !value.isEmpty() && value.length() <= MAX_LENGTH && value.chars().allMatch(c -> c > ' ' && c < 127);
    }
}
