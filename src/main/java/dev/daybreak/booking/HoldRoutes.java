package dev.daybreak.booking;

import static dev.daybreak.platform.problem.ProblemCode.BUSY;
import static dev.daybreak.platform.problem.ProblemCode.HOLD_EXPIRED;
import static dev.daybreak.platform.problem.ProblemCode.HOLD_FORBIDDEN;
import static dev.daybreak.platform.problem.ProblemCode.HOLD_LIMIT;
import static dev.daybreak.platform.problem.ProblemCode.HOLD_NOT_FOUND;
import static dev.daybreak.platform.security.Access.patientInBody;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.security.Access;
import dev.daybreak.platform.web.ApiDoc;
import dev.daybreak.platform.web.ApiRoutes;

/** The calls that hold a seat while its patient decides. */
final class HoldRoutes {

    private HoldRoutes() {}

    static ApiRoutes of(HoldHandler handler, Access owner) {
        return route().POST(
                        "/api/holds",
                        patientInBody("patientId"),
                        handler::hold,
                        BookingProblems.describedIn(doc("holdSeat", "Hold a seat of a slot while the patient decides"))
                                .tag("Holds")
                                .description("A held seat is taken for everybody else. Safe to repeat: the same key, or"
                                        + " another request of the patient for the same slot, gives the same hold and a new"
                                        + " token beside those told before; once it is confirmed, the appointment and no"
                                        + " token.")
                                .header(
                                        BookAppointmentRequest.KEY_HEADER,
                                        "1 to 64 visible ASCII characters, chosen by the client for this hold",
                                        "9b2d7c40-1f3a-4b86-a1c5-0d6e8f7a2b31")
                                .body(HoldSeatRequest.class, """
                                        {"slotId": 1001, "patientId": 77}""")
                                .answers(201, "Held", HoldView.class, HoldView.EXAMPLE)
                                .answers(200, "Held or confirmed before", HoldView.class, HoldView.EXAMPLE)
                                .problems(HOLD_EXPIRED))
                .PUT(
                        "/api/holds/{id}",
                        owner,
                        handler::extend,
                        ofHold("extendHold", "Hold the seat for longer")
                                .description("From now on it lasts as long as a new hold, but never longer than the cap"
                                        + " after it was made. At the cap: 409 HOLD_LIMIT, and nothing changes.")
                                .answers(200, "Extended", HoldView.class, HoldView.EXTENDED_EXAMPLE)
                                .problem(Problem.of(HOLD_LIMIT).with("expiresAt", "2026-10-01T05:15:00.012Z")))
                .DELETE(
                        "/api/holds/{id}",
                        owner,
                        handler::release,
                        ofHold("releaseHold", "Give the seat back")
                                .description(
                                        "The seat is free at once. Releasing again changes nothing and answers the same.")
                                .answers(204, "Released, now or before"))
                .POST(
                        "/api/holds/{id}/confirm",
                        owner,
                        handler::confirm,
                        ofHold("confirmHold", "Book the seat that is held")
                                .description(
                                        "The hold becomes an appointment with the same id. Confirming again answers the same.")
                                .answers(200, "Booked", AppointmentView.class, AppointmentView.EXAMPLE));
    }

    private static ApiDoc ofHold(String id, String summary) {
        return doc(id, summary)
                .tag("Holds")
                .path("id", Long.class, "The hold", "5012")
                .header(HoldToken.HEADER, "The token told when it was made", "wT0oW2mS8C1n6o3Zl7Q4rXb9Jk5eHq2A")
                .problems(HOLD_NOT_FOUND, HOLD_FORBIDDEN, HOLD_EXPIRED, BUSY);
    }
}
