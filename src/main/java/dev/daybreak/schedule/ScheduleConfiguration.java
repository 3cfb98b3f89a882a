package dev.daybreak.schedule;

import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.web.ApiRoutes;
import java.time.Clock;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ClinicSettings.class, DemoSettings.class})
class ScheduleConfiguration {

    private static final String EMBEDDED_DATABASE = "embeddedDatabase";

    @Bean
    Doctors doctors(DatabaseClient database) {
        return new Doctors(database);
    }

    @Bean
    Schedules schedules(DatabaseClient database) {
        return new Schedules(database);
    }

    @Bean
    Slots slots(DatabaseClient database, Clock clock) {
        return new Slots(database, clock);
    }

    @Bean
    CalendarSlots calendarSlots(DatabaseClient database) {
        return new CalendarSlots(database);
    }

    @Bean
    Closures closures(DatabaseClient database) {
        return new Closures(database);
    }

    @Bean
    Openings openings(Schedules schedules, Closures closures, ClinicSettings clinic) {
        return new Openings(schedules, closures, clinic);
    }

    @Bean
    Withdrawal withdrawal(
            CalendarSlots slots,
            AppointmentsInTheWay appointments,
            TransactionalOperator transaction,
            ApplicationEventPublisher events) {
        return new Withdrawal(slots, appointments, transaction, events);
    }

    @Bean
    Closing closing(
            Doctors doctors,
            CalendarSlots slots,
            Closures closures,
            AppointmentsInTheWay appointments,
            Withdrawal withdrawal,
            ClinicSettings clinic,
            Clock clock,
            AuditTrail trail) {
        return new Closing(doctors, slots, closures, appointments, withdrawal, clinic, clock, trail);
    }

    @Bean
    Rescheduling rescheduling(
            Doctors doctors,
            Schedules schedules,
            CalendarSlots slots,
            Closures closures,
            Openings openings,
            AppointmentsInTheWay appointments,
            Withdrawal withdrawal,
            ClinicSettings clinic,
            Clock clock,
            AuditTrail trail,
            ApplicationEventPublisher events) {
        return new Rescheduling(
                doctors, schedules, slots, closures, openings, appointments, withdrawal, clinic, clock, trail, events);
    }

    @Bean
    Publishing publishing(
            Doctors doctors,
            Schedules schedules,
            CalendarSlots slots,
            Closures closures,
            ClinicSettings clinic,
            Clock clock,
            AuditTrail trail,
            TransactionalOperator transaction,
            ApplicationEventPublisher events) {
        return new Publishing(doctors, schedules, slots, closures, clinic, clock, trail, transaction, events);
    }

    @Bean
    WindowFiller windowFiller(
            Schedules schedules,
            CalendarSlots slots,
            Closures closures,
            ClinicSettings clinic,
            Clock clock,
            TransactionalOperator transaction,
            ApplicationEventPublisher events) {
        return new WindowFiller(schedules, slots, closures, clinic, clock, transaction, events);
    }

    @Bean
    DemoData demoDoctors(
            Doctors doctors,
            Schedules schedules,
            WindowFiller filler,
            ClinicSettings clinic,
            Clock clock,
            TransactionalOperator transaction) {
        return new DemoDoctors(doctors, schedules, filler, clinic, clock, transaction);
    }

    @Bean
    DemoStart demoStart(DemoSettings settings, BeanFactory beans, List<DemoData> parts) {
        return new DemoStart(settings.enabledOn(beans.containsBean(EMBEDDED_DATABASE)) ? parts : List.of());
    }

    @Bean
    ApiRoutes scheduleRoutes(
            Doctors doctors,
            Schedules schedules,
            Slots slots,
            Closures closures,
            Publishing publishing,
            Closing closing,
            Rescheduling rescheduling,
            ClinicSettings clinic,
            Clock clock,
            AuditTrail trail,
            DatabaseClient database,
            TransactionalOperator transaction,
            ApplicationEventPublisher events) {
        return ScheduleRoutes.of(
                new ClinicHandler(clinic, clock),
                new DoctorHandler(doctors, trail, transaction),
                new ScheduleHandler(doctors, schedules, publishing, rescheduling),
                new SlotHandler(new SlotChanging(slots, closures, trail, transaction, events), clock),
                new ClosureHandler(doctors, closures, closing, clinic),
                new CalendarOwners(database));
    }
}
