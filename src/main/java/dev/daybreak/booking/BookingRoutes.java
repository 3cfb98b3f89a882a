package dev.daybreak.booking;

import static dev.daybreak.platform.problem.ProblemCode.APPOINTMENT_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.BUSY;
import static dev.daybreak.platform.problem.ProblemCode.OPENING_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.OPENING_TAKEN;
import static dev.daybreak.platform.problem.ProblemCode.TOO_LATE;
import static dev.daybreak.platform.security.Access.patientInBody;
import static dev.daybreak.platform.security.Access.patientInPath;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.security.Access;
import dev.daybreak.platform.web.ApiRoutes;
import java.time.Instant;

/** The calls about appointments that have a slot. */
final class BookingRoutes {

    private BookingRoutes() {}

    static ApiRoutes of(BookingHandler handler, Access owner) {
        return route().POST(
                        "/api/appointments",
                        patientInBody("patientId"),
                        handler::book,
                        BookingProblems.describedIn(
                                        doc("bookAppointment", "Book a seat of a slot, or a time of a flexible doctor"))
                                .tag("Appointments")
                                .description(
                                        "Send slotId for a seat of a slot; or doctorId, startAt and minutes (15, 30 or 45) for a time of"
                                                + " a flexible doctor. Safe to repeat with the same key: it books once. Only committed appointments are"
                                                + " remembered under a key; after any other answer the same key may be tried again."
                                                + " With a patient's token patientId may be left out.")
                                .header(
                                        BookAppointmentRequest.KEY_HEADER,
                                        "1 to 64 visible ASCII characters, chosen by the client for this booking",
                                        "3f0c1a52-7d0e-4a55-9d0f-2f6a7c1b9e11")
                                .body(BookAppointmentRequest.class, """
                                        {"slotId": 1001, "patientId": 77}""")
                                .answers(201, "Booked", AppointmentView.class, AppointmentView.EXAMPLE)
                                .answers(
                                        200,
                                        "Booked before with this key; the appointment as it is now",
                                        AppointmentView.class,
                                        AppointmentView.EXAMPLE)
                                .problems(OPENING_NOT_FOUND, OPENING_TAKEN))
                .GET(
                        "/api/appointments/{id}",
                        owner,
                        handler::find,
                        doc("getAppointment", "An appointment as it is now")
                                .tag("Appointments")
                                .path("id", Long.class, "The appointment", "5012")
                                .answers(200, "Found", AppointmentView.class, AppointmentView.EXAMPLE_WITH_HISTORY)
                                .problems(APPOINTMENT_NOT_FOUND))
                .DELETE(
                        "/api/appointments/{id}",
                        owner,
                        handler::cancel,
                        doc("cancelAppointment", "Cancel an appointment")
                                .tag("Appointments")
                                .description(
                                        "The seat is free at once. Cancelling again changes nothing and answers the same.")
                                .path("id", Long.class, "The appointment", "5012")
                                .optionalQuery(
                                        "reason",
                                        String.class,
                                        "Why, for the clinic; at most 200 characters",
                                        "feeling better")
                                .answers(204, "Cancelled, now or before")
                                .problem(Problem.of(TOO_LATE).with("until", "2026-10-11T07:00:00Z"))
                                .problems(APPOINTMENT_NOT_FOUND, BUSY))
                .GET(
                        "/api/patients/{id}/appointments",
                        patientInPath("id"),
                        handler::ofPatient,
                        doc("listPatientAppointments", "What a patient has and had, by start")
                                .tag("Appointments")
                                .path("id", Long.class, "The patient", "77")
                                .optionalQuery(
                                        "from",
                                        Instant.class,
                                        "Only what ends after this instant",
                                        "2026-10-12T00:00:00+02:00")
                                .optionalQuery(
                                        "to",
                                        Instant.class,
                                        "Only what starts before this instant",
                                        "2026-10-19T00:00:00+02:00")
                                .optionalQuery("status", AppointmentStatus.class, "Only these", "BOOKED")
                                .optionalQuery(
                                        "after",
                                        Long.class,
                                        "Only what comes after this appointment: for the next page, the last of this one",
                                        null)
                                .optionalQuery("limit", Integer.class, "At most so many, 1 to 200", "200")
                                .answersList(
                                        200,
                                        "The appointments",
                                        AppointmentView.class,
                                        "[" + AppointmentView.EXAMPLE_WITH_HISTORY + "]"));
    }
}
