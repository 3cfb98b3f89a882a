package dev.daybreak.room;

import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.DemoData;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RoomSettings.class)
class RoomConfiguration {

    @Bean
    Rooms rooms(DatabaseClient database) {
        return new Rooms(database);
    }

    @Bean
    Reservations reservations(DatabaseClient database) {
        return new Reservations(database);
    }

    @Bean
    RoomTimes roomTimes(RoomSettings settings, ClinicSettings clinic, Clock clock) {
        return new RoomTimes(settings, clinic, clock);
    }

    @Bean
    DemoData demoRooms(Rooms rooms) {
        return new DemoRooms(rooms);
    }

    @Bean
    ApiRoutes roomRoutes(Rooms rooms, RoomSettings settings, AuditTrail trail, TransactionalOperator transaction) {
        return RoomRoutes.of(new RoomHandler(rooms, RoomRules.of(settings), trail, transaction));
    }
}
