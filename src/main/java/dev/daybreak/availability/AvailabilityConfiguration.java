package dev.daybreak.availability;

import static dev.daybreak.platform.problem.ProblemCode.BUSY;
import static dev.daybreak.platform.problem.ProblemCode.DOCTOR_NOT_FOUND;
import static dev.daybreak.platform.security.Access.everybody;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.availability.feed.LiveFeed;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.SlotView;
import dev.daybreak.schedule.Slots;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.LocalDate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ListSettings.class)
class AvailabilityConfiguration {

    private static final String EVENT = "id: 7\nevent: slots\ndata: [" + SlotView.EXAMPLE.replace("\n", "") + "]\n\n";

    @Bean
    SlotJson slotJson(JsonMapper mapper) {
        return new SlotJson(mapper);
    }

    @Bean
    DayLists dayLists(
            Slots slots,
            Doctors doctors,
            ClinicSettings clinic,
            Clock clock,
            SlotJson json,
            ReactiveRedisConnectionFactory redis,
            RedisCircuit circuit,
            ListSettings settings,
            MeterRegistry meters) {
        var cache = new DayCache(redis, circuit, settings, clock, meters);
        return new DayLists(slots, doctors, clinic, clock, json, cache, settings, meters);
    }

    @Bean
    WarmLists warmLists(Doctors doctors, ClinicSettings clinic, Clock clock) {
        return new WarmLists(doctors, clinic, clock);
    }

    @Bean
    ApiRoutes availabilityRoutes(
            DayLists lists, LiveFeed feed, Slots slots, Doctors doctors, ClinicSettings clinic, Clock clock) {
        var handler = new SlotListHandler(lists, feed, clinic, clock);
        var days = new DaysHandler(new FreeDays(slots, doctors, clinic));
        return route().GET(
                        "/api/doctors/{id}/slots",
                        everybody(),
                        handler::list,
                        doc("listSlots", "The slots of a doctor's day, by start")
                                .tag("Availability")
                                .description(
                                        "As text/event-stream the day is live: an event `snapshot` at once on every connection, whatever"
                                                + " Last-Event-ID says, then events `slots` with those that changed. The data of both is an"
                                                + " array of slots, full ones included. A slot's version rises with every change.")
                                .path("id", Long.class, "The doctor", "12")
                                .query(
                                        "date",
                                        LocalDate.class,
                                        "The day, in the clinic's zone unless another is given",
                                        "2026-10-12")
                                .optionalQuery("zone", String.class, "The zone whose day is meant", "Asia/Tokyo")
                                .optionalQuery(
                                        "include", String.class, "`all` for full, closed and past slots too", "all")
                                .optionalHeader(
                                        "If-None-Match",
                                        "The ETag of a list the client has; if it is still true the answer is 304",
                                        "\"2rVp4fJYl0q0hGZ1\"")
                                .answersList(200, "The slots", SlotView.class, "[" + SlotView.EXAMPLE + "]")
                                .answersAs(
                                        MediaType.APPLICATION_NDJSON,
                                        200,
                                        "The slots",
                                        SlotView.class,
                                        SlotView.EXAMPLE)
                                .answersAs(MediaType.TEXT_EVENT_STREAM, 200, "The slots", SlotView.class, EVENT)
                                .answers(304, "The client has these slots")
                                .problems(DOCTOR_NOT_FOUND, BUSY))
                .GET(
                        "/api/doctors/{id}/days",
                        everybody(),
                        days::list,
                        doc("listDays", "How many seats the days of a doctor have")
                                .tag("Availability")
                                .description(
                                        "For a calendar; up to a second old, or more behind a busy moment. Days without slots"
                                                + " still to come are left out. Of a flexible doctor's days: listOpeningDays.")
                                .path("id", Long.class, "The doctor", "12")
                                .query("from", LocalDate.class, "The first day, in the clinic's zone", "2026-10-12")
                                .query("to", LocalDate.class, "The last day; at most 42 days", "2026-10-25")
                                .answersList(200, "The days, by date", Slots.Day.class, """
                                        [{"date": "2026-10-12", "slots": 24, "free": 37},
                                         {"date": "2026-10-13", "slots": 24, "free": 0, "opensAt": "2026-09-29T05:00:00Z"}]""")
                                .problems(DOCTOR_NOT_FOUND, BUSY));
    }
}
