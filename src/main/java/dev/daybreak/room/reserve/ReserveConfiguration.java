package dev.daybreak.room.reserve;

import dev.daybreak.platform.password.PasswordAttempts;
import dev.daybreak.platform.password.Passwords;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.room.HeldRanges;
import dev.daybreak.room.Reservations;
import dev.daybreak.room.RoomSettings;
import dev.daybreak.room.RoomTimes;
import dev.daybreak.schedule.ClinicSettings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.r2dbc.pool.ConnectionPool;
import java.time.Clock;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

@Configuration(proxyBeanMethods = false)
class ReserveConfiguration {

    @Bean
    RoomConnections roomConnections(ConnectionPool common, RoomSettings settings) {
        return new RoomConnections(common, settings);
    }

    @Bean
    Ledger reservationLedger(RoomConnections connections, DatabaseClient database, Clock clock) {
        return new Ledger(connections.client(), database, clock);
    }

    @Bean
    Changes reservationChanges(ApplicationEventPublisher events) {
        return new Changes(events);
    }

    @Bean
    Passwords roomPasswords(RoomSettings settings) {
        return new Passwords(settings.hashStrength(), settings.hashingThreads(), settings.hashingQueue());
    }

    @Bean
    PasswordAttempts passwordAttempts(
            ReactiveStringRedisTemplate redis, RedisCircuit circuit, RoomSettings settings, Clock clock) {
        return new PasswordAttempts(
                redis, circuit, clock, "room-passwords", settings.passwordAttempts(), settings.passwordWindow());
    }

    @Bean(destroyMethod = "dispose")
    RoomQueues<Claim, Outcome> roomQueues(
            RoomSettings settings,
            Ledger ledger,
            HeldRanges held,
            Passwords passwords,
            RoomTimes times,
            Changes changes,
            MeterRegistry meters) {
        var serving = new Serving(ledger, held, passwords, times, changes);
        var queues = new RoomQueues<Claim, Outcome>(settings, Claim.Move.class::isInstance, serving::serve);
        Gauge.builder("daybreak.rooms.waiting", queues, RoomQueues::waiting)
                .description("Reservations and moves of reservations that wait for their room")
                .baseUnit("requests")
                .register(meters);
        return queues;
    }

    @Bean
    Reserving reserving(
            RoomQueues<Claim, Outcome> queues,
            Ledger ledger,
            Reservations reservations,
            Passwords passwords,
            PasswordAttempts attempts,
            Changes changes) {
        return new Reserving(queues, ledger, reservations, passwords, attempts, changes);
    }

    @Bean
    ApiRoutes reservationRoutes(
            Reserving reserving,
            Ledger ledger,
            Reservations reservations,
            Changes changes,
            AuditTrail trail,
            TransactionalOperator transaction,
            RoomTimes times,
            ClinicSettings clinic,
            Clock clock) {
        var desk = new StaffDesk(ledger, reservations, changes, trail, transaction);
        return ReservationRoutes.of(new ReservationHandler(reserving, times), new StaffHandler(desk, clinic, clock));
    }
}
