package dev.daybreak.room.hold;

import static dev.daybreak.platform.problem.ProblemCode.HOLD_CONFLICT;
import static dev.daybreak.platform.problem.ProblemCode.HOLD_FORBIDDEN;
import static dev.daybreak.platform.problem.ProblemCode.HOLD_LIMIT;
import static dev.daybreak.platform.problem.ProblemCode.HOLD_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.RATE_LIMITED;
import static dev.daybreak.platform.problem.ProblemCode.RESERVATION_CONFLICT;
import static dev.daybreak.platform.problem.ProblemCode.ROOM_CLOSED;
import static dev.daybreak.platform.problem.ProblemCode.ROOM_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.UNAVAILABLE;
import static dev.daybreak.platform.security.Access.everybody;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.web.ApiDoc;
import dev.daybreak.platform.web.ApiRoutes;
import java.time.Duration;

/** The calls that hold a room while the form is filled in. */
final class RoomHoldRoutes {

    private RoomHoldRoutes() {}

    static ApiRoutes of(RoomHoldHandler handler) {
        return route().POST(
                        "/api/rooms/{id}/holds",
                        everybody(),
                        handler::hold,
                        of("holdRoom", "Hold a room while the form is filled in")
                                .description(
                                        "Nobody else can hold or reserve any of that time meanwhile. Reserve with the"
                                                + " token as holdToken. If the room was reserved before: 409 RESERVATION_CONFLICT; if"
                                                + " somebody holds a part of the time, or is reserving it at this moment: 409"
                                                + " HOLD_CONFLICT. One address can hold so much and no more: 429.")
                                .body(HoldRequest.class, HoldRequest.EXAMPLE)
                                .answers(201, "Held", RoomHoldView.class, RoomHoldView.EXAMPLE)
                                .problems(ROOM_NOT_FOUND, ROOM_CLOSED, HOLD_CONFLICT, RESERVATION_CONFLICT)
                                .problem(Problem.of(RATE_LIMITED).retryAfter(Duration.ofSeconds(120))))
                .PUT(
                        "/api/rooms/{id}/holds/{holdId}",
                        everybody(),
                        handler::extend,
                        ofHold("extendRoomHold", "Hold the room for longer")
                                .description("From now on it lasts as long as a new hold, but never longer than the cap"
                                        + " after it was made. At the cap: 409 HOLD_LIMIT, and nothing changes.")
                                .answers(200, "Extended", RoomHoldView.class, RoomHoldView.EXTENDED_EXAMPLE)
                                .problem(Problem.of(HOLD_LIMIT).with("expiresAt", "2026-10-12T07:05:00.012Z")))
                .DELETE(
                        "/api/rooms/{id}/holds/{holdId}",
                        everybody(),
                        handler::release,
                        ofHold("releaseRoomHold", "Stop holding the room").answers(204, "Released"));
    }

    private static ApiDoc ofHold(String id, String summary) {
        return of(id, summary)
                .path("holdId", Long.class, "The hold", "4503599627370497")
                .header(
                        HoldKey.HEADER,
                        "The token told when it was made",
                        "4503599627370497.wT0oW2mS8C1n6o3Zl7Q4rXb9Jk5eHq2A")
                .problems(HOLD_NOT_FOUND, HOLD_FORBIDDEN);
    }

    private static ApiDoc of(String id, String summary) {
        return doc(id, summary)
                .tag("Rooms")
                .path("id", Long.class, "The room", "3")
                .problems(UNAVAILABLE);
    }
}
