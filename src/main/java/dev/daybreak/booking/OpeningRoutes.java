package dev.daybreak.booking;

import static dev.daybreak.platform.problem.ProblemCode.ALREADY_BOOKED;
import static dev.daybreak.platform.problem.ProblemCode.APPOINTMENT_NOT_BOOKED;
import static dev.daybreak.platform.problem.ProblemCode.APPOINTMENT_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.DOCTOR_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.OPENING_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.OPENING_TAKEN;
import static dev.daybreak.platform.problem.ProblemCode.PATIENT_OVERLAP;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_CLOSED;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_NOT_OPEN;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_PAST;
import static dev.daybreak.platform.problem.ProblemCode.TOO_LATE;
import static dev.daybreak.platform.security.Access.everybody;
import static dev.daybreak.platform.web.ApiDoc.doc;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.security.Access;
import dev.daybreak.platform.web.ApiDoc;
import dev.daybreak.platform.web.ApiRoutes;
import java.time.LocalDate;

/** The times of flexible doctors, over HTTP; they are booked as any other appointment. */
final class OpeningRoutes {

    private static final ApiDoc LIST = doc("listOpenings", "List the free times of a flexible doctor")
            .tag("Doctors")
            .description("By start, at quarter hours. Those that cannot be booked yet say from when: opensAt.")
            .path("id", Long.class, "The doctor", "7")
            .query("date", LocalDate.class, "A day in the clinic's zone, or in the zone given", "2026-10-12")
            .query("minutes", Integer.class, "How long: 15, 30 or 45", "30")
            .optionalQuery("zone", String.class, "The zone of the day", "Asia/Tokyo")
            .answersList(200, "The free times", OpeningView.class, "[" + OpeningView.EXAMPLE + "]")
            .problems(DOCTOR_NOT_FOUND);

    private static final ApiDoc DAYS = doc("listOpeningDays", "List the days on which a flexible doctor has time")
            .tag("Doctors")
            .description("For a calendar. Days without a free time of that length are left out.")
            .path("id", Long.class, "The doctor", "7")
            .query("from", LocalDate.class, "The first day, in the clinic's zone", "2026-10-12")
            .query("to", LocalDate.class, "The last day; at most 42 days", "2026-10-25")
            .query("minutes", Integer.class, "How long: 15, 30 or 45", "30")
            .answersList(200, "The days, by date", OpeningDayView.class, "[" + OpeningDayView.EXAMPLE + "]")
            .problems(DOCTOR_NOT_FOUND);

    private static final ApiDoc MOVE = doc(
                    "moveToOpening", "Move an appointment to another time of its flexible doctor")
            .tag("Appointments")
            .description(
                    "The old time is free at once, or kept if the new one cannot be had. Repeating it changes nothing.")
            .path("id", Long.class, "The appointment", "5012")
            .body(MoveOpeningRequest.class, """
                    {"startAt": "2026-10-12T09:30:00+02:00", "minutes": 30}""")
            .answers(200, "The appointment as it is now", AppointmentView.class, AppointmentView.EXAMPLE)
            .problems(APPOINTMENT_NOT_FOUND, OPENING_NOT_FOUND)
            .problem(Problem.of(SLOT_NOT_OPEN).with("opensAt", "2026-09-28T05:00:00Z"))
            .problems(OPENING_TAKEN, ALREADY_BOOKED, PATIENT_OVERLAP, SLOT_PAST, SLOT_CLOSED)
            .problem(Problem.of(TOO_LATE).with("until", "2026-10-11T07:00:00Z"))
            .problem(Problem.of(APPOINTMENT_NOT_BOOKED).with("appointmentStatus", "CANCELLED"));

    private OpeningRoutes() {}

    static ApiRoutes of(OpeningHandler openings, Access owner) {
        return ApiRoutes.route()
                .GET("/api/doctors/{id}/openings", everybody(), openings::list, LIST)
                .GET("/api/doctors/{id}/opening-days", everybody(), openings::days, DAYS)
                .PUT("/api/appointments/{id}/opening", owner, openings::move, MOVE);
    }
}
