package dev.daybreak.schedule;

import dev.daybreak.platform.web.Input;
import org.jspecify.annotations.Nullable;

/**
 * On which terms times are taken out of the calendar.
 *
 * @param reason told to those whose appointments are cancelled; there is one if any are
 * @param force whether appointments in the way are cancelled rather than respected
 * @param dryRun whether to say only what would happen
 */
record Terms(@Nullable String reason, boolean force, boolean dryRun) {

    /** Reads {@code reason}, {@code force} and {@code dryRun}; the caller completes the input. */
    static Terms read(Input input) {
        var terms = new Terms(
                input.optionalText("reason", ClosureRequest.LONGEST_REASON),
                input.flag("force", false),
                input.flag("dryRun", false));
        if (input.isSound("reason", "force")) {
            input.check(!terms.force || terms.reason != null, "reason", "required");
        }
        return terms;
    }
}
