package dev.daybreak.schedule;

import dev.daybreak.platform.web.Input;
import org.jspecify.annotations.Nullable;

/** A closure as the client writes it, for the description of the API; it is read as a {@link Wish}. */
record ClosureRequest(
        String from,
        String to,
        @Nullable String reason,
        @Nullable Boolean force,
        @Nullable Boolean dryRun) {

    static final int LONGEST_REASON = 200;

    /** What the clinic wants closed. */
    record Wish(ClosureRange range, Terms terms) {}

    static Wish read(Input input, ClinicSettings clinic) {
        var wish = new Wish(ClosureRange.read(input, clinic), Terms.read(input));
        input.complete();
        return wish;
    }
}
