package dev.daybreak.schedule;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What the clinic's calendar needs to know of appointments, and to have done to them, when times are taken out of it.
 * Implemented by whoever owns them; called inside the caller's transaction, which has locked the slots and the doctors.
 */
public interface AppointmentsInTheWay {

    /**
     * Emits, by start, what takes a seat of these slots, and what of the flexible ones among these doctors lies in the
     * time and has not begun.
     *
     * @param now holds that have run out by then are reported as EXPIRED
     */
    Mono<List<InTheWay>> inTime(List<Long> slotIds, List<Long> doctorIds, Instant from, Instant to, Instant now);

    /** Cancels them in the name of the clinic, and expires holds that have run out; emits how many were cancelled. */
    Mono<Long> end(List<Long> appointmentIds, @Nullable String reason, Instant now);

    /** An appointment that has a time the clinic wants back. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record InTheWay(long id, @Nullable Long slotId, Instant startAt, Instant endAt, long patientId, String status) {

        /** Whether somebody is expected then; a hold that has run out is nobody's. */
        boolean blocks() {
            return !status.equals("EXPIRED");
        }
    }
}
