package dev.daybreak.platform;

import static dev.daybreak.platform.security.Access.everybody;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.platform.web.Input;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * A service of the platform alone, without a database: a few routes that read everything and fail in every way. No
 * {@code @Configuration}, or the scan of the whole service would find it and leave out the database too.
 */
@TestComponent // kept out of the component scan of the whole service
@EnableAutoConfiguration(
        excludeName = {
            "dev.daybreak.embedded.EmbeddedConfiguration",
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.health.DataRedisReactiveHealthContributorAutoConfiguration"
        })
@ComponentScan({
    "dev.daybreak.platform.problem",
    "dev.daybreak.platform.rollout",
    "dev.daybreak.platform.security",
    "dev.daybreak.platform.server",
    "dev.daybreak.platform.web"
})
public class DemoService {

    public static final Instant NOW = Instant.parse("2026-10-11T22:00:00.123Z");

    public enum Mode {
        FIXED,
        FLEXIBLE
    }

    public record Order(
            long slotId, long patientId, @Nullable String note) {

        static Order from(Input in) {
            var order = new Order(in.id("slotId"), in.id("patientId"), in.optionalText("note", 20));
            in.complete();
            return order;
        }
    }

    public record Break(int start, int end) {}

    public record Plan(
            LocalDate from,
            int start,
            int end,
            int capacity,
            Set<DayOfWeek> weekdays,
            Mode mode,
            boolean dryRun,
            ZoneId zone,
            Instant at,
            List<Break> breaks) {

        static Plan from(Input in) {
            var plan = new Plan(
                    in.date("from"),
                    in.minuteOfDay("start"),
                    in.minuteOfDay("end"),
                    in.integer("capacity", 1, 100),
                    in.weekdays("weekdays"),
                    in.choice("mode", Mode.class, Mode.FIXED),
                    in.flag("dryRun", false),
                    in.zone("zone", ZoneOffset.UTC),
                    in.instant("at"),
                    in.objects("breaks", 2).stream()
                            .map(pause -> new Break(pause.minuteOfDay("start"), pause.minuteOfDay("end")))
                            .toList());
            if (in.isSound("start", "end")) {
                in.check(plan.start() < plan.end(), "end", "after", "start");
            }
            in.complete();
            return plan;
        }
    }

    @Bean
    Clock clock() {
        return Clock.fixed(NOW, ZoneOffset.UTC);
    }

    @Bean
    ApiRoutes demoRoutes() {
        return route().POST(
                        "/api/orders",
                        everybody(),
                        request -> Input.body(request)
                                .map(Order::from)
                                .flatMap(order -> ServerResponse.status(201).bodyValue(order)),
                        doc("order", "Order a slot")
                                .tag("Orders")
                                .header("Idempotency-Key", "Any text of one's own", "a1b2")
                                .body(Order.class, """
                                        {"slotId": 1001, "patientId": 77}""")
                                .answers(201, "Ordered", Order.class, """
                                        {"slotId": 1001, "patientId": 77, "note": null}""")
                                .problem(Problem.of(ProblemCode.SLOT_FULL).with("remaining", 0))
                                .problems(ProblemCode.ALREADY_BOOKED, ProblemCode.RATE_LIMITED))
                .POST(
                        "/api/plans",
                        everybody(),
                        request -> Input.body(request)
                                .map(Plan::from)
                                .flatMap(plan -> ServerResponse.ok().bodyValue(plan)),
                        doc("plan", "Plan").body(Plan.class, "{}").answers(200, "Planned", Plan.class, "{}"))
                .GET(
                        "/api/orders/{id}",
                        everybody(),
                        DemoService::find,
                        doc("findOrder", "Find an order")
                                .path("id", Long.class, "The number of the order", "7")
                                .optionalQuery("date", LocalDate.class, "A day", "2026-10-12")
                                .optionalQuery("at", Instant.class, "A point in time", "2026-10-12T00:30:00Z")
                                .answersList(200, "Found", Order.class, "[]"))
                .DELETE(
                        "/api/orders/{id}",
                        everybody(),
                        request -> ServerResponse.noContent().build(),
                        doc("cancelOrder", "Cancel")
                                .path("id", Long.class, "The number of the order", "7")
                                .answers(204, "Cancelled"))
                .GET(
                        "/api/calendar",
                        everybody(),
                        request -> ServerResponse.ok()
                                .contentType(MediaType.parseMediaType("text/calendar"))
                                .bodyValue("BEGIN:VCALENDAR"),
                        doc("calendar", "Calendar")
                                .withoutDatabase()
                                .answersAs(
                                        MediaType.parseMediaType("text/calendar"),
                                        200,
                                        "A calendar",
                                        String.class,
                                        "BEGIN:VCALENDAR"))
                .GET("/api/failures/{kind}", everybody(), DemoService::fail, doc("fail", "Fail"));
    }

    private static Mono<ServerResponse> find(ServerRequest request) {
        Input in = Input.pathAndQuery(request);
        long id = in.id("id");
        LocalDate date = in.optionalDate("date");
        Instant at = in.optionalInstant("at");
        in.complete();
        return ServerResponse.ok().bodyValue(List.of(id, String.valueOf(date), String.valueOf(at)));
    }

    private static Mono<ServerResponse> fail(ServerRequest request) {
        if (request.pathVariable("kind").equals("to-answer")) {
            return Mono.never();
        }
        return Mono.error(
                switch (request.pathVariable("kind")) {
                    case "full" -> new Refusal(Problem.of(ProblemCode.SLOT_FULL).with("remaining", 0));
                    case "limited" ->
                        new Refusal(Problem.of(ProblemCode.RATE_LIMITED).retryAfter(Duration.ofMillis(1200)));
                    case "limited-briefly" ->
                        new Refusal(Problem.of(ProblemCode.RATE_LIMITED).retryAfter(Duration.ofMillis(3)));
                    case "database-gone" ->
                        new DataAccessResourceFailureException(
                                "no connection", new R2dbcNonTransientResourceException("Connection reset by peer"));
                    case "lock-timeout" ->
                        new DataAccessResourceFailureException(
                                "too slow", new R2dbcTransientResourceException("lock timeout", "55P03"));
                    case "busy" -> new R2dbcTransientResourceException("deadlock", "40P01");
                    default -> new IllegalStateException("a secret of the implementation");
                });
    }
}
