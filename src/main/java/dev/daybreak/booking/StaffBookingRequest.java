package dev.daybreak.booking;

import dev.daybreak.platform.web.Input;
import org.jspecify.annotations.Nullable;

/**
 * The body of a booking by the clinic's staff, for the description of the API.
 *
 * @param force whether to add a seat to the slot if none is left
 * @param reason why; there must be one with {@code force}
 */
record StaffBookingRequest(
        long slotId,
        long patientId,
        @Nullable Boolean force,
        @Nullable String reason) {

    static StaffDesk.Wish read(Input input, IdempotencyKey key) {
        var request = new BookingRequest(input.id("slotId"), input.id("patientId"), key);
        boolean force = input.flag("force", false);
        String reason = input.optionalText("reason", StaffHandler.LONGEST_REASON);
        if (input.isSound("force", "reason")) {
            input.check(!force || reason != null, "reason", "required");
        }
        input.complete();
        return new StaffDesk.Wish(request, force, reason);
    }
}
