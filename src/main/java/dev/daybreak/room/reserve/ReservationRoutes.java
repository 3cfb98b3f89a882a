package dev.daybreak.room.reserve;

import static dev.daybreak.platform.problem.ProblemCode.BUSY;
import static dev.daybreak.platform.problem.ProblemCode.HOLD_CONFLICT;
import static dev.daybreak.platform.problem.ProblemCode.IDEMPOTENCY_KEY_REUSED;
import static dev.daybreak.platform.problem.ProblemCode.RATE_LIMITED;
import static dev.daybreak.platform.problem.ProblemCode.RESERVATION_CONFLICT;
import static dev.daybreak.platform.problem.ProblemCode.RESERVATION_FORBIDDEN;
import static dev.daybreak.platform.problem.ProblemCode.RESERVATION_NOT_ACTIVE;
import static dev.daybreak.platform.problem.ProblemCode.RESERVATION_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.ROOM_CLOSED;
import static dev.daybreak.platform.problem.ProblemCode.ROOM_NOT_FOUND;
import static dev.daybreak.platform.security.Access.everybody;
import static dev.daybreak.platform.security.Access.staff;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.web.ApiDoc;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.room.ReservationStatus;
import java.time.Duration;
import java.time.LocalDate;

/** The calls about reservations. Whoever knows the password of one needs no account. */
final class ReservationRoutes {

    private ReservationRoutes() {}

    static ApiRoutes of(ReservationHandler handler, StaffHandler desk) {
        return route().POST(
                        "/api/rooms/{id}/reservations",
                        everybody(),
                        handler::reserve,
                        doc("reserveRoom", "Reserve a room for a time")
                                .tag("Rooms")
                                .description(
                                        "From startAt until just before endAt, both at multiples of the clinic's grid. The password is needed to change or"
                                                + " cancel the reservation. Requests for one room are served in order of arrival.")
                                .path("id", Long.class, "The room", "3")
                                .optionalHeader(
                                        ReserveRequest.KEY_HEADER,
                                        "1 to 64 visible ASCII characters, chosen by the client for this reservation: repeated with the same key, it"
                                                + " reserves once",
                                        "5b1f7c1e-0c55-4a57-8a43-0d3a2f6f1d10")
                                .body(ReserveRequest.class, ReserveRequest.EXAMPLE)
                                .answers(201, "Reserved", ReservationView.class, ReservationView.EXAMPLE)
                                .answers(
                                        200,
                                        "Reserved before with this key; the reservation as it is now",
                                        ReservationView.class,
                                        ReservationView.EXAMPLE)
                                .problems(
                                        ROOM_NOT_FOUND,
                                        RESERVATION_CONFLICT,
                                        HOLD_CONFLICT,
                                        ROOM_CLOSED,
                                        IDEMPOTENCY_KEY_REUSED,
                                        BUSY)
                                .problem(Problem.of(RATE_LIMITED).retryAfter(Duration.ofMinutes(7))))
                .POST(
                        "/api/reservations/search",
                        everybody(),
                        handler::search,
                        limited(doc("searchReservations", "Find one's own reservations by name and password"))
                                .description(
                                        "Those that are not over, by start; an empty list if name or password is wrong.")
                                .body(SearchRequest.class, SearchRequest.EXAMPLE)
                                .answersList(
                                        200,
                                        "The reservations",
                                        ReservationView.class,
                                        "[" + ReservationView.EXAMPLE + "]"))
                .GET(
                        "/api/reservations/{id}",
                        everybody(),
                        handler::find,
                        owned(doc("getReservation", "A reservation as it is now"))
                                .answers(200, "Found", ReservationView.class, ReservationView.EXAMPLE))
                .PUT(
                        "/api/reservations/{id}",
                        everybody(),
                        handler::move,
                        owned(doc("moveReservation", "Give a reservation another time, another room or both"))
                                .description("All or nothing: it keeps what it has if that cannot be had.")
                                .body(MoveRequest.class, MoveRequest.EXAMPLE)
                                .answers(200, "It is there now", ReservationView.class, ReservationView.EXAMPLE)
                                .problems(
                                        ROOM_NOT_FOUND,
                                        RESERVATION_CONFLICT,
                                        HOLD_CONFLICT,
                                        ROOM_CLOSED,
                                        RESERVATION_NOT_ACTIVE))
                .DELETE(
                        "/api/reservations/{id}",
                        everybody(),
                        handler::cancel,
                        owned(doc("cancelReservation", "Cancel a reservation"))
                                .description(
                                        "The room is free at once. Cancelling again changes nothing and answers the same.")
                                .optionalQuery(
                                        "reason",
                                        String.class,
                                        "Why, for the clinic; at most 200 characters",
                                        "meeting online")
                                .answers(204, "Cancelled, now or before"))
                .GET(
                        "/api/admin/reservations",
                        staff(),
                        desk::list,
                        doc("listReservations", "List the reservations of a day, by start")
                                .tag("Administration")
                                .optionalQuery("date", LocalDate.class, "The day; today if not given", "2026-10-12")
                                .optionalQuery(
                                        "zone", String.class, "Whose day; the clinic's if not given", "Asia/Seoul")
                                .optionalQuery("roomId", Long.class, "Only those of this room", "3")
                                .optionalQuery("status", ReservationStatus.class, "Only these", "ACTIVE")
                                .optionalQuery("limit", Integer.class, "At most so many, 1 to 5000", "5000")
                                .answersList(
                                        200,
                                        "The reservations",
                                        ReservationView.class,
                                        "[" + ReservationView.EXAMPLE + "]"))
                .DELETE(
                        "/api/admin/reservations/{id}",
                        staff(),
                        desk::cancel,
                        doc("forceCancelReservation", "Cancel somebody's reservation")
                                .tag("Administration")
                                .path("id", Long.class, "The reservation", "812")
                                .query("reason", String.class, "Why; at most 200 characters", "water damage")
                                .answers(204, "Cancelled, now or before")
                                .problems(RESERVATION_NOT_FOUND));
    }

    private static ApiDoc owned(ApiDoc call) {
        return limited(call)
                .path("id", Long.class, "The reservation", "812")
                .header(ReserveRequest.PASSWORD_HEADER, "The password it was made with", "red door 7")
                .problems(RESERVATION_NOT_FOUND, RESERVATION_FORBIDDEN);
    }

    private static ApiDoc limited(ApiDoc call) {
        return call.tag("Rooms")
                .problem(Problem.of(RATE_LIMITED).retryAfter(Duration.ofMinutes(7)))
                .problems(BUSY);
    }
}
