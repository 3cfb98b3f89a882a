package dev.daybreak.booking;

import dev.daybreak.platform.answer.JsonAnswers;
import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.schedule.AppointmentsInTheWay;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.Openings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
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
    Holds holds(HoldBatch batch, BookingSettings settings, MeterRegistry meters) {
        return new Holds(batch, settings).measuredBy(meters);
    }

    @Bean
    HoldSweeper holdSweeper(HoldBatch batch, BookingSettings settings, MeterRegistry meters) {
        return new HoldSweeper(batch, settings.sweep(), meters);
    }

    @Bean
    Filing filing(DatabaseClient database, Clock clock, BookingSettings settings) {
        return new Filing(database, clock, settings);
    }

    @Bean
    WarmBooking warmBooking(BookingDesk desk) {
        return new WarmBooking(desk);
    }

    @Bean
    OutcomeCounts outcomeCounts(MeterRegistry meters) {
        return new OutcomeCounts(meters);
    }

    @Bean
    ApiRoutes holdRoutes(
            BookingDesk desk,
            Holds holds,
            OutcomeCounts counts,
            Appointments appointments,
            JsonAnswers answers,
            ProblemResponses problems) {
        return HoldRoutes.of(new HoldHandler(desk, holds, counts, answers, problems), appointments.holderInPath("id"));
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
        return booking.measuredBy(meters);
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
    ApiRoutes openingRoutes(OpeningHandler openings, Appointments appointments) {
        return OpeningRoutes.of(openings, appointments.ownerInPath("id"));
    }

    @Bean
    ApiRoutes bookingRoutes(
            BookingDesk desk,
            Booking booking,
            StaffDesk staff,
            OpeningHandler openings,
            OutcomeCounts counts,
            Appointments appointments,
            JsonAnswers answers,
            ProblemResponses problems) {
        return BookingRoutes.of(
                new BookingHandler(desk, booking, staff, openings, counts, answers, problems),
                appointments.ownerInPath("id"));
    }
}
