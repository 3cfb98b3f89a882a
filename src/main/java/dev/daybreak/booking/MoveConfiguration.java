package dev.daybreak.booking;

import static dev.daybreak.platform.problem.ProblemCode.ALREADY_BOOKED;
import static dev.daybreak.platform.problem.ProblemCode.APPOINTMENT_NOT_BOOKED;
import static dev.daybreak.platform.problem.ProblemCode.APPOINTMENT_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.BUSY;
import static dev.daybreak.platform.problem.ProblemCode.PATIENT_OVERLAP;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_CLOSED;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_FULL;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_NOT_OPEN;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_PAST;
import static dev.daybreak.platform.problem.ProblemCode.TOO_LATE;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.answer.JsonAnswers;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.web.ApiRoutes;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class MoveConfiguration {

    @Bean
    ApiRoutes moveRoutes(Booking booking, Appointments appointments, JsonAnswers answers, ProblemResponses problems) {
        return route().PUT(
                        "/api/appointments/{id}/slot",
                        appointments.ownerInPath("id"),
                        new MoveHandler(booking, answers, problems)::move,
                        doc("moveAppointment", "Move an appointment to another slot")
                                .tag("Appointments")
                                .description(
                                        "Takes the new seat and gives the old one back at once, or refuses and keeps the"
                                                + " old one. Moving to the slot it has changes nothing and answers the same.")
                                .path("id", Long.class, "The appointment", "5012")
                                .body(MoveAppointmentRequest.class, """
                                        {"slotId": 1002}""")
                                .answers(
                                        200,
                                        "It has the slot, now or before",
                                        AppointmentView.class,
                                        AppointmentView.EXAMPLE_WITH_HISTORY)
                                .problems(APPOINTMENT_NOT_FOUND, SLOT_NOT_FOUND)
                                .problem(Problem.of(APPOINTMENT_NOT_BOOKED).with("appointmentStatus", "CANCELLED"))
                                .problem(Problem.of(TOO_LATE).with("until", "2026-10-11T07:00:00Z"))
                                .problem(Problem.of(SLOT_FULL)
                                        .with("slotId", 1002)
                                        .with("remaining", 0))
                                .problem(Problem.of(SLOT_NOT_OPEN)
                                        .with("slotId", 1002)
                                        .with("opensAt", "2026-09-28T05:00:00Z"))
                                .problems(ALREADY_BOOKED, PATIENT_OVERLAP, SLOT_PAST, SLOT_CLOSED, BUSY));
    }
}
