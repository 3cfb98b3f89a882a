package dev.daybreak.booking;

import static dev.daybreak.platform.problem.ProblemCode.APPOINTMENT_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.DOCTOR_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.OVERBOOKING_NOT_ALLOWED;
import static dev.daybreak.platform.problem.ProblemCode.TOO_LATE;
import static dev.daybreak.platform.security.Access.doctorInPath;
import static dev.daybreak.platform.security.Access.staff;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.web.ApiDoc;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.Slots;
import java.time.Clock;
import java.time.LocalDate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

/** The staff's side of booking, and its calls. */
@Configuration(proxyBeanMethods = false)
class StaffConfiguration {

    private static final String TAG = "Administration";

    @Bean
    StaffDesk staffDesk(
            DatabaseClient database,
            Appointments appointments,
            SlotChanges changes,
            Slots slots,
            Clock clock,
            BookingSettings settings,
            AuditTrail trail,
            TransactionalOperator transaction) {
        return new StaffDesk(
                new BookBatch(database, appointments, changes, clock, settings),
                new CancelBatch(database, changes, clock, settings),
                appointments,
                slots,
                trail,
                transaction);
    }

    @Bean
    ApiRoutes staffRoutes(
            StaffDesk desk,
            DatabaseClient database,
            Clock clock,
            Doctors doctors,
            ClinicSettings clinic,
            BookingSettings settings,
            ProblemResponses problems) {
        var handler = new StaffHandler(desk, new StaffLists(database, clock), doctors, clinic, settings, problems);
        return route().GET("/api/admin/appointments", staff(), handler::ofDay, ofDay())
                .GET("/api/admin/doctors/{id}/appointments", doctorInPath("id"), handler::ofDoctor, ofDoctor())
                .POST("/api/admin/appointments", staff(), handler::book, book())
                .DELETE("/api/admin/appointments/{id}", staff(), handler::cancel, cancel())
                .GET("/api/admin/holds", staff(), handler::holds, holds());
    }

    private static ApiDoc ofDay() {
        return day("listAppointments", "The appointments of a day")
                .optionalQuery("doctorId", Long.class, "Only this doctor's", "12");
    }

    private static ApiDoc ofDoctor() {
        return day("listDoctorAppointments", "A doctor's appointments of a day")
                .path("id", Long.class, "The doctor", "12")
                .problems(DOCTOR_NOT_FOUND);
    }

    private static ApiDoc day(String id, String summary) {
        return doc(id, summary)
                .tag(TAG)
                .description(
                        "By start, ended ones included. For the next page, pass the id of the last appointment of this one as after.")
                .query("date", LocalDate.class, "The day, in the clinic's zone unless another is given", "2026-10-12")
                .optionalQuery("zone", String.class, "The time zone of the day", "Europe/Berlin")
                .optionalQuery("status", AppointmentStatus.class, "Only these", "BOOKED")
                .optionalQuery("after", Long.class, "Only those that come after this appointment", null)
                .optionalQuery("limit", Integer.class, "At most so many, 1 to 200", "200")
                .answersList(
                        200,
                        "The appointments",
                        AppointmentView.class,
                        "[" + AppointmentView.EXAMPLE_WITH_HISTORY + "]");
    }

    private static ApiDoc book() {
        return BookingProblems.describedIn(doc("bookForPatient", "Book a seat for a patient"))
                .tag(TAG)
                .description(
                        "Is not counted as an attempt of the patient's, whose limit of appointments does not matter"
                                + " either. With force a seat is added to a slot that is full, for which the clinic must allow it"
                                + " (daybreak.booking.overbooking) and a reason is needed. Safe to repeat with the same key.")
                .header(
                        BookAppointmentRequest.KEY_HEADER,
                        "1 to 64 visible ASCII characters, chosen by the client for this booking",
                        "3f0c1a52-7d0e-4a55-9d0f-2f6a7c1b9e11")
                .body(StaffBookingRequest.class, """
                        {"slotId": 1001, "patientId": 77, "force": false, "reason": "Emergency"}""")
                .answers(201, "Booked", AppointmentView.class, AppointmentView.EXAMPLE)
                .answers(200, "Booked before with this key", AppointmentView.class, AppointmentView.EXAMPLE)
                .problems(OVERBOOKING_NOT_ALLOWED);
    }

    private static ApiDoc cancel() {
        return doc("cancelForPatient", "Cancel an appointment or a hold for a patient")
                .tag(TAG)
                .description(
                        "At any time before its start, and after it until it is filed. Cancelling again changes nothing and answers the same.")
                .path("id", Long.class, "The appointment", "5012")
                .query("reason", String.class, "Why; at most 200 characters", "The doctor is ill")
                .answers(204, "Cancelled, now or before")
                .problems(APPOINTMENT_NOT_FOUND, TOO_LATE);
    }

    private static ApiDoc holds() {
        return doc("listHolds", "Holds that run or have expired")
                .tag(TAG)
                .description(
                        "The newest first; those that were confirmed or given up are appointments like any other. For the next"
                                + " page, pass the id of the last hold of this one as before.")
                .optionalQuery("status", StaffHandler.HoldState.class, "Only these", "EXPIRED")
                .optionalQuery("before", Long.class, "Only holds with a smaller id", null)
                .optionalQuery("limit", Integer.class, "At most so many, 1 to 200; 100 if not given", "100")
                .answersList(200, "The holds", AppointmentView.class, "[" + AppointmentView.EXAMPLE_WITH_HISTORY + "]");
    }
}
