package dev.daybreak.booking;

import static dev.daybreak.platform.problem.ProblemCode.APPOINTMENT_NOT_BOOKED;
import static dev.daybreak.platform.problem.ProblemCode.APPOINTMENT_NOT_FOUND;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.schedule.Doctors;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class CalendarConfiguration {

    private static final String EXAMPLE = """
            BEGIN:VCALENDAR
            PRODID:-//Daybreak//Appointments//EN
            VERSION:2.0
            CALSCALE:GREGORIAN
            METHOD:PUBLISH
            BEGIN:VEVENT
            UID:appointment-5012@daybreak
            SEQUENCE:0
            DTSTAMP:20261001T050000Z
            DTSTART:20261012T070000Z
            DTEND:20261012T071500Z
            SUMMARY:Dr. Mira Holm (General practice)
            STATUS:CONFIRMED
            END:VEVENT
            END:VCALENDAR
            """;

    @Bean
    CalendarFile calendarFile(Clock clock, BookingSettings settings) {
        return new CalendarFile(clock, settings.calendarDomain());
    }

    @Bean
    ApiRoutes calendarRoutes(Booking booking, Appointments appointments, Doctors doctors, CalendarFile files) {
        return route().GET(
                        "/api/appointments/{id}/calendar.ics",
                        appointments.ownerInPath("id"),
                        new CalendarHandler(booking, doctors, files)::find,
                        doc("getAppointmentCalendar", "An appointment as a calendar file")
                                .tag("Appointments")
                                .description(
                                        "The identifier stays the same and the sequence rises with every change, so"
                                                + " that a calendar updates its entry; after a cancellation the file removes it.")
                                .path("id", Long.class, "The appointment", "5012")
                                .answersAs(CalendarHandler.CALENDAR, 200, "The file", String.class, EXAMPLE)
                                .problems(APPOINTMENT_NOT_FOUND)
                                .problem(Problem.of(APPOINTMENT_NOT_BOOKED).with("appointmentStatus", "HELD")));
    }
}
