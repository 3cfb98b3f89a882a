package dev.daybreak.schedule;

import dev.daybreak.platform.web.ApiRoutes;
import java.time.Clock;
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
    Publishing publishing(
            Doctors doctors,
            Schedules schedules,
            Slots slots,
            ClinicSettings clinic,
            Clock clock,
            TransactionalOperator transaction,
            ApplicationEventPublisher events) {
        return new Publishing(doctors, schedules, slots, clinic, clock, transaction, events);
    }

    @Bean
    WindowFiller windowFiller(
            Schedules schedules,
            Slots slots,
            ClinicSettings clinic,
            Clock clock,
            TransactionalOperator transaction,
            ApplicationEventPublisher events) {
        return new WindowFiller(schedules, slots, clinic, clock, transaction, events);
    }

    @Bean
    DemoData demoData(
            DemoSettings settings,
            BeanFactory beans,
            Doctors doctors,
            Schedules schedules,
            WindowFiller filler,
            ClinicSettings clinic,
            Clock clock,
            TransactionalOperator transaction) {
        boolean enabled = settings.enabledOn(beans.containsBean(EMBEDDED_DATABASE));
        return new DemoData(enabled, doctors, schedules, filler, clinic, clock, transaction);
    }

    @Bean
    ApiRoutes scheduleRoutes(
            Doctors doctors,
            Schedules schedules,
            Slots slots,
            Publishing publishing,
            Clock clock,
            TransactionalOperator transaction,
            ApplicationEventPublisher events) {
        return ScheduleRoutes.of(
                new DoctorHandler(doctors),
                new ScheduleHandler(doctors, schedules, publishing),
                new SlotHandler(new SlotChanging(slots, transaction, events), clock));
    }
}
