package dev.daybreak.platform.problem;

import java.util.Locale;
import org.springframework.http.HttpStatus;

/**
 * The single list of problems a client can meet. The name is the {@code code} of the answer and never changes its
 * meaning; title and detail are the messages {@code problem.<name>.title} and {@code .detail} in every language.
 */
public enum ProblemCode {
    VALIDATION_FAILED(HttpStatus.BAD_REQUEST),
    IDEMPOTENCY_KEY_REQUIRED(HttpStatus.BAD_REQUEST),

    UNAUTHORIZED(HttpStatus.UNAUTHORIZED),
    LOGIN_FAILED(HttpStatus.UNAUTHORIZED),
    FORBIDDEN(HttpStatus.FORBIDDEN),
    HOLD_FORBIDDEN(HttpStatus.FORBIDDEN),
    RESERVATION_FORBIDDEN(HttpStatus.FORBIDDEN),

    NOT_FOUND(HttpStatus.NOT_FOUND),
    SLOT_NOT_FOUND(HttpStatus.NOT_FOUND),
    DOCTOR_NOT_FOUND(HttpStatus.NOT_FOUND),
    APPOINTMENT_NOT_FOUND(HttpStatus.NOT_FOUND),
    HOLD_NOT_FOUND(HttpStatus.NOT_FOUND),
    CLOSURE_NOT_FOUND(HttpStatus.NOT_FOUND),
    SCHEDULE_NOT_FOUND(HttpStatus.NOT_FOUND),
    OPENING_NOT_FOUND(HttpStatus.NOT_FOUND),
    ROOM_NOT_FOUND(HttpStatus.NOT_FOUND),
    RESERVATION_NOT_FOUND(HttpStatus.NOT_FOUND),
    DEAD_LETTER_NOT_FOUND(HttpStatus.NOT_FOUND),
    CONTACT_NOT_FOUND(HttpStatus.NOT_FOUND),
    NOTIFICATION_NOT_FOUND(HttpStatus.NOT_FOUND),

    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED),
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE),

    SLOT_FULL(HttpStatus.CONFLICT),
    ALREADY_BOOKED(HttpStatus.CONFLICT),
    PATIENT_OVERLAP(HttpStatus.CONFLICT),
    BOOKING_LIMIT(HttpStatus.CONFLICT),
    SLOT_NOT_OPEN(HttpStatus.CONFLICT),
    SLOT_PAST(HttpStatus.CONFLICT),
    SLOT_CLOSED(HttpStatus.CONFLICT),
    HOLD_EXPIRED(HttpStatus.CONFLICT),
    HOLD_LIMIT(HttpStatus.CONFLICT),
    APPOINTMENT_NOT_BOOKED(HttpStatus.CONFLICT),
    OPENING_TAKEN(HttpStatus.CONFLICT),
    TOO_LATE(HttpStatus.CONFLICT),
    SCHEDULE_OVERLAP(HttpStatus.CONFLICT),
    SCHEDULE_AFFECTS_APPOINTMENTS(HttpStatus.CONFLICT),
    CLOSURE_AFFECTS_APPOINTMENTS(HttpStatus.CONFLICT),
    SLOT_IN_CLOSURE(HttpStatus.CONFLICT),
    CAPACITY_BELOW_BOOKED(HttpStatus.CONFLICT),
    OVERBOOKING_NOT_ALLOWED(HttpStatus.CONFLICT),
    ROOM_EXISTS(HttpStatus.CONFLICT),
    ROOM_CLOSED(HttpStatus.CONFLICT),
    RESERVATION_CONFLICT(HttpStatus.CONFLICT),
    RESERVATION_NOT_ACTIVE(HttpStatus.CONFLICT),
    HOLD_CONFLICT(HttpStatus.CONFLICT),
    NOTIFICATION_NOT_FAILED(HttpStatus.CONFLICT),

    REQUEST_TIMEOUT(HttpStatus.REQUEST_TIMEOUT),
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE),
    ADDRESS_TOO_LONG(HttpStatus.URI_TOO_LONG),
    HEADERS_TOO_LARGE(HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE),
    IDEMPOTENCY_KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT),
    RATE_LIMITED(HttpStatus.TOO_MANY_REQUESTS),

    INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR),
    BUSY(HttpStatus.SERVICE_UNAVAILABLE),
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE);

    private final HttpStatus status;
    private final String type;

    ProblemCode(HttpStatus status) {
        this.status = status;
        this.type = "/problems/" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public HttpStatus status() {
        return status;
    }

    /** The URI reference that identifies this kind of problem, such as {@code /problems/slot-full}. */
    public String type() {
        return type;
    }
}
