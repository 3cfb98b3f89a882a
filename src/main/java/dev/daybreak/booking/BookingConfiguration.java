package dev.daybreak.booking;

import static dev.daybreak.platform.problem.ProblemCode.ALREADY_BOOKED;
import static dev.daybreak.platform.problem.ProblemCode.APPOINTMENT_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.BOOKING_LIMIT;
import static dev.daybreak.platform.problem.ProblemCode.BUSY;
import static dev.daybreak.platform.problem.ProblemCode.IDEMPOTENCY_KEY_REQUIRED;
import static dev.daybreak.platform.problem.ProblemCode.IDEMPOTENCY_KEY_REUSED;
import static dev.daybreak.platform.problem.ProblemCode.OPENING_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.OPENING_TAKEN;
import static dev.daybreak.platform.problem.ProblemCode.PATIENT_OVERLAP;
import static dev.daybreak.platform.problem.ProblemCode.RATE_LIMITED;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_CLOSED;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_FULL;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_NOT_FOUND;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_NOT_OPEN;
import static dev.daybreak.platform.problem.ProblemCode.SLOT_PAST;
import static dev.daybreak.platform.problem.ProblemCode.TOO_LATE;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.platform.web.JsonAnswers;
import dev.daybreak.schedule.AppointmentsInTheWay;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.Openings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BookingSettings.class)
class BookingConfiguration {

    @Bean
    Appointments appointments(DatabaseClient database, Clock clock) {
        return new Appointments(database, clock);
    }

    @Bean
    SlotChanges slotChanges(ApplicationEventPublisher events) {
        return new SlotChanges(events);
    }

    @Bean
    HoldBatch holdBatch(
            DatabaseClient database,
            Appointments appointments,
            SlotChanges changes,
            Clock clock,
            BookingSettings settings) {
        return new HoldBatch(database, appointments, changes, clock, settings);
    }

    @Bean
    Holds holds(HoldBatch batch, BookingSettings settings) {
        return new Holds(batch, settings);
    }

    @Bean
    HoldSweeper holdSweeper(HoldBatch batch, BookingSettings settings, MeterRegistry meters) {
        return new HoldSweeper(batch, settings.sweep(), meters);
    }

    @Bean
    ApiRoutes holdRoutes(BookingDesk desk, Holds holds, JsonAnswers answers, ProblemResponses problems) {
        return HoldRoutes.of(new HoldHandler(desk, holds, answers, problems));
    }

    @Bean
    Booking booking(
            DatabaseClient database,
            Appointments appointments,
            SlotChanges changes,
            Openings openings,
            Clock clock,
            BookingSettings settings,
            Holds holds,
            MeterRegistry meters) {
        var booking = new Booking(database, appointments, changes, openings, clock, settings);
        Gauge.builder("daybreak.booking.waiting", booking, all -> all.waiting() + holds.waiting())
                .description(
                        "Bookings, moves, cancellations and changes of holds that have no answer from the database yet")
                .baseUnit("requests")
                .register(meters);
        return booking;
    }

    @Bean
    AppointmentsInTheWay appointmentsInTheWay(DatabaseClient database) {
        return new AppointmentsForTheClinic(database);
    }

    @Bean
    OpeningHandler openingHandler(
            BookingDesk desk, Booking booking, Doctors doctors, Openings openings, ClinicSettings clinic, Clock clock) {
        return new OpeningHandler(desk, booking, doctors, openings, clinic, clock);
    }

    @Bean
    ApiRoutes openingRoutes(OpeningHandler openings) {
        return OpeningRoutes.of(openings);
    }

    @Bean
    ApiRoutes bookingRoutes(
            BookingDesk desk,
            Booking booking,
            OpeningHandler openings,
            JsonAnswers answers,
            ProblemResponses problems) {
        var handler = new BookingHandler(desk, booking, openings, answers, problems);
        return route().POST(
                        "/api/appointments",
                        handler::book,
                        doc("bookAppointment", "Book a seat of a slot, or a time of a flexible doctor")
                                .tag("Appointments")
                                .description(
                                        "Send slotId for a seat of a slot; or doctorId, startAt and minutes (15, 30 or 45) for a time of"
                                                + " a flexible doctor. Safe to repeat with the same key: it books once. Only committed appointments are"
                                                + " remembered under a key; after any other answer the same key may be tried again.")
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
                                .problems(IDEMPOTENCY_KEY_REQUIRED, SLOT_NOT_FOUND, OPENING_NOT_FOUND)
                                .problem(Problem.of(SLOT_FULL)
                                        .with("slotId", 1001)
                                        .with("remaining", 0))
                                .problem(Problem.of(SLOT_NOT_OPEN)
                                        .with("slotId", 1001)
                                        .with("opensAt", "2026-09-28T05:00:00Z"))
                                .problem(Problem.of(BOOKING_LIMIT).with("limit", 3))
                                .problems(
                                        ALREADY_BOOKED,
                                        PATIENT_OVERLAP,
                                        OPENING_TAKEN,
                                        SLOT_PAST,
                                        SLOT_CLOSED,
                                        IDEMPOTENCY_KEY_REUSED,
                                        BUSY)
                                .problem(Problem.of(RATE_LIMITED).retryAfter(Duration.ofSeconds(7))))
                .GET(
                        "/api/appointments/{id}",
                        handler::find,
                        doc("getAppointment", "An appointment as it is now")
                                .tag("Appointments")
                                .path("id", Long.class, "The appointment", "5012")
                                .answers(200, "Found", AppointmentView.class, AppointmentView.EXAMPLE_WITH_HISTORY)
                                .problems(APPOINTMENT_NOT_FOUND))
                .DELETE(
                        "/api/appointments/{id}",
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
                                .optionalQuery("limit", Integer.class, "At most so many, 1 to 200", "200")
                                .answersList(
                                        200,
                                        "The appointments",
                                        AppointmentView.class,
                                        "[" + AppointmentView.EXAMPLE_WITH_HISTORY + "]"));
    }
}
