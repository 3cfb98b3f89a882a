package dev.daybreak.notification;

import dev.daybreak.booking.Booking;
import dev.daybreak.booking.CalendarFile;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import io.micrometer.core.instrument.MeterRegistry;
import io.r2dbc.pool.ConnectionPool;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.netty.resources.LoopResources;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({NotificationSettings.class, SmsSettings.class})
class NotificationConfiguration {

    @Bean
    NotificationPool notificationPool(ConnectionPool pool) {
        return new NotificationPool(pool);
    }

    @Bean
    Notifications notifications(NotificationPool pool) {
        return new Notifications(pool.database());
    }

    @Bean
    Contacts contacts(NotificationPool pool, Clock clock) {
        return new Contacts(pool.database(), clock);
    }

    @Bean
    NotificationMetrics notificationMetrics(MeterRegistry meters) {
        return new NotificationMetrics(meters);
    }

    @Bean
    Composer notificationComposer(
            Booking booking, Doctors doctors, Contacts contacts, CalendarFile files, ClinicSettings clinic) {
        return new Composer(booking, doctors, contacts, files, new Wording(clinic));
    }

    @Bean
    @ConditionalOnProperty("spring.mail.host")
    MailCarrier mailCarrier(JavaMailSender mail, NotificationSettings settings) {
        return new MailCarrier(mail, settings.sender(), settings.concurrency());
    }

    @Bean
    @ConditionalOnProperty("daybreak.sms.url")
    SmsCarrier smsCarrier(SmsSettings sms, NotificationSettings settings, LoopResources loops) {
        return new SmsCarrier(Objects.requireNonNull(sms.url()), sms.timeout(), settings.concurrency(), loops);
    }

    @Bean
    Sender emailSender(
            ObjectProvider<MailCarrier> carrier,
            Notifications notifications,
            Composer composer,
            NotificationMetrics metrics,
            NotificationSettings settings,
            Clock clock) {
        return new Sender(Channel.EMAIL, carrier.getIfAvailable(), notifications, composer, metrics, settings, clock);
    }

    @Bean
    Sender smsSender(
            ObjectProvider<SmsCarrier> carrier,
            Notifications notifications,
            Composer composer,
            NotificationMetrics metrics,
            NotificationSettings settings,
            Clock clock) {
        return new Sender(Channel.SMS, carrier.getIfAvailable(), notifications, composer, metrics, settings, clock);
    }

    @Bean
    Notifier notifier(Notifications notifications, NotificationMetrics metrics, List<Sender> senders) {
        return new Notifier(notifications, metrics, senders);
    }

    @Bean
    Reminders reminders(Booking booking, Notifier notifier, NotificationSettings settings, Clock clock) {
        return new Reminders(booking, notifier, settings, clock);
    }

    @Bean
    NotificationPruner notificationPruner(Notifications notifications, NotificationSettings settings, Clock clock) {
        return new NotificationPruner(notifications, settings, clock);
    }

    @Bean
    ApiRoutes contactRoutes(Contacts contacts) {
        return NotificationRoutes.contacts(new ContactHandler(contacts));
    }

    @Bean
    ApiRoutes notificationRoutes(
            Notifications notifications,
            Composer composer,
            List<Sender> senders,
            Clock clock,
            DatabaseClient database,
            AuditTrail trail,
            TransactionalOperator transaction) {
        var retrying = new Retrying(database, trail, transaction);
        return NotificationRoutes.notifications(
                new NotificationHandler(notifications, retrying, composer, senders, clock));
    }
}
