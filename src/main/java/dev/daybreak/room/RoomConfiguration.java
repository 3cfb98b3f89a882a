package dev.daybreak.room;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;

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
}
