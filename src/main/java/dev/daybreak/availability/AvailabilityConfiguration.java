package dev.daybreak.availability;

import static dev.daybreak.platform.problem.ProblemCode.DOCTOR_NOT_FOUND;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.SlotView;
import dev.daybreak.schedule.Slots;
import java.time.Clock;
import java.time.LocalDate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

@Configuration(proxyBeanMethods = false)
class AvailabilityConfiguration {

    @Bean
    RouterFunction<ServerResponse> availabilityRoutes(
            Slots slots, Doctors doctors, ClinicSettings clinic, Clock clock) {
        var handler = new SlotListHandler(slots, doctors, clinic, clock);
        return route().GET(
                        "/api/doctors/{id}/slots",
                        handler::list,
                        doc("listSlots", "The slots of a doctor's day, by start")
                                .tag("Availability")
                                .path("id", Long.class, "The doctor", "12")
                                .query(
                                        "date",
                                        LocalDate.class,
                                        "The day, in the clinic's zone unless another is given",
                                        "2026-10-12")
                                .optionalQuery("zone", String.class, "The zone whose day is meant", "Asia/Tokyo")
                                .optionalQuery(
                                        "include", String.class, "`all` for full, closed and past slots too", "all")
                                .answersList(200, "The slots", SlotView.class, "[" + SlotView.EXAMPLE + "]")
                                .answersAs(
                                        MediaType.APPLICATION_NDJSON,
                                        200,
                                        "The slots",
                                        SlotView.class,
                                        SlotView.EXAMPLE)
                                .problems(DOCTOR_NOT_FOUND))
                .build();
    }
}
