package dev.daybreak.room.board;

import static dev.daybreak.platform.problem.ProblemCode.BUSY;
import static dev.daybreak.platform.security.Access.everybody;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.feed.FeedSettings;
import dev.daybreak.platform.feed.OpenStreams;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.platform.web.ApiDoc;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.room.Reservations;
import dev.daybreak.room.Rooms;
import dev.daybreak.room.hold.RoomHolds;
import dev.daybreak.schedule.ClinicSettings;
import java.time.Clock;
import java.time.LocalDate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BoardSettings.class)
class BoardConfiguration {

    private static final String EVENT = "id: 7\nevent: rooms\ndata: " + BoardView.EXAMPLE.replace("\n", "") + "\n\n";

    @Bean
    Boards boards(
            Rooms rooms,
            Reservations reservations,
            RoomHolds holds,
            BoardSettings settings,
            JsonMapper mapper,
            Clock clock) {
        return new Boards(rooms, reservations, holds, settings, mapper, clock);
    }

    @Bean
    RoomChannel roomChannel(
            LettuceConnectionFactory redis,
            RedisCircuit circuit,
            ApplicationEventPublisher events,
            FeedSettings settings) {
        return new RoomChannel(redis, circuit, events, settings.canary());
    }

    @Bean
    BoardFeed boardFeed(Boards boards, Clock clock, FeedSettings settings, OpenStreams streams) {
        return new BoardFeed(boards, clock, settings, streams);
    }

    @Bean
    ApiRoutes boardRoutes(Boards boards, BoardFeed feed, ClinicSettings clinic, Clock clock) {
        var handler = new BoardHandler(boards, feed, clinic, clock);
        return route().GET("/api/rooms/board", everybody(), handler::board, described());
    }

    private static ApiDoc described() {
        return doc("roomBoard", "The day's board: who is in which room and when")
                .tag("Rooms")
                .description("What goes over midnight is there on both days. As text/event-stream the board is live: an"
                        + " event `snapshot` with everything at once on every connection, then events `rooms` with the rooms"
                        + " that changed, in the same form. Without a date the board is today's, and at midnight a `snapshot` of the new day"
                        + " follows. While Redis is away holds are not shown.")
                .optionalQuery(
                        "date", LocalDate.class, "The day, in the clinic's zone unless another is given", "2026-10-12")
                .optionalQuery("zone", String.class, "The zone whose day is meant", "Asia/Tokyo")
                .optionalHeader(
                        "If-None-Match",
                        "The ETag of a board the client has; if it is still true the answer is 304",
                        "\"2rVp4fJYl0q0hGZ1\"")
                .answers(200, "The board", BoardView.class, BoardView.EXAMPLE)
                .answersAs(MediaType.TEXT_EVENT_STREAM, 200, "The board", BoardView.class, EVENT)
                .answers(304, "The client has this board")
                .problems(BUSY);
    }
}
