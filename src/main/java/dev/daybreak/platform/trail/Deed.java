package dev.daybreak.platform.trail;

import org.jspecify.annotations.Nullable;

/**
 * Something that was done to something. What was there before and after is written as JSON: ids and settings, never a patient's name
 * or contact, a password or a token.
 *
 * @param action what was done, such as {@code slot.change}
 * @param subjectType to what kind of thing, such as {@code slot}
 * @param subjectId to which one; null if there is only one
 * @param before null if it did not exist
 * @param after null if it does not exist any more
 * @param reason why, in the words of whoever did it
 */
public record Deed(
        String action,
        String subjectType,
        @Nullable Long subjectId,
        @Nullable Object before,
        @Nullable Object after,
        @Nullable String reason) {

    public static Deed of(String action, String subjectType, @Nullable Long subjectId) {
        return new Deed(action, subjectType, subjectId, null, null, null);
    }

    public Deed from(@Nullable Object state) {
        return new Deed(action, subjectType, subjectId, state, after, reason);
    }

    public Deed to(@Nullable Object state) {
        return new Deed(action, subjectType, subjectId, before, state, reason);
    }

    public Deed because(@Nullable String words) {
        return new Deed(action, subjectType, subjectId, before, after, words);
    }
}
