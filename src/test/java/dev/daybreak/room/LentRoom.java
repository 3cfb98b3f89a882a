package dev.daybreak.room;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Mono;

/** A room nobody else uses, as its visitors see it over HTTP at one instance of the service. */
public final class LentRoom {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PASSWORD = "open sesame";

    private final Clinic clinic;
    private final long id;

    private LentRoom(Clinic clinic, long id) {
        this.clinic = clinic;
        this.id = id;
    }

    public static LentRoom of(Clinic clinic) {
        Answer added = clinic.send(
                HttpMethod.POST, "/api/admin/rooms", Map.of(), Map.of("name", "Room " + Clinic.newKey(), "seats", 8));
        return new LentRoom(clinic, added.id());
    }

    /** The same room, called at another instance. */
    public LentRoom at(Clinic other) {
        return new LentRoom(other, id);
    }

    public long id() {
        return id;
    }

    public Answer hold(Instant start, Instant end) {
        return answer(holding(start, end));
    }

    /** Tries again while Redis is slower than the service waits for it, as it may be on a busy machine. */
    public Mono<Answer> holding(Instant start, Instant end) {
        return patiently(clinic.calling(HttpMethod.POST, path() + "/holds", Map.of(), times(start, end)));
    }

    public Answer extend(Answer hold) {
        return extend(hold.id(), hold.token());
    }

    public Answer extend(long hold, String token) {
        return answer(extending(hold, token));
    }

    public Mono<Answer> extending(long hold, String token) {
        return patiently(clinic.calling(HttpMethod.PUT, path() + "/holds/" + hold, headers(token), null));
    }

    public Answer release(Answer hold) {
        return release(hold.id(), hold.token());
    }

    public Answer release(long hold, String token) {
        return answer(releasing(hold, token));
    }

    public Mono<Answer> releasing(long hold, String token) {
        return patiently(clinic.calling(HttpMethod.DELETE, path() + "/holds/" + hold, headers(token), null));
    }

    public Answer reserve(Instant start, Instant end, String holdToken) {
        return answer(reserving(start, end, holdToken));
    }

    public Mono<Answer> reserving(Instant start, Instant end, String holdToken) {
        var body = new HashMap<String, Object>(times(start, end));
        body.put("name", "Haruka Mori");
        body.put("password", PASSWORD);
        if (holdToken != null) {
            body.put("holdToken", holdToken);
        }
        return clinic.calling(HttpMethod.POST, path() + "/reservations", Map.of(), body);
    }

    public Answer cancel(Answer reservation) {
        return clinic.send(
                HttpMethod.DELETE,
                "/api/reservations/" + reservation.id(),
                Map.of("Reservation-Password", PASSWORD),
                null);
    }

    /** Active reservations of the room in the database. */
    public long reserved() {
        return clinic.number("SELECT count(*) FROM reservation WHERE status = 'ACTIVE' AND room_id = " + id);
    }

    private String path() {
        return "/api/rooms/" + id;
    }

    private static Map<String, Object> times(Instant start, Instant end) {
        return Map.of("startAt", start.toString(), "endAt", end.toString());
    }

    private static Map<String, String> headers(String token) {
        return token == null ? Map.of() : Map.of("Hold-Token", token);
    }

    private static Mono<Answer> patiently(Mono<Answer> call) {
        return call.filter(answer -> !answer.is(503))
                .repeatWhenEmpty(50, tries -> tries.delayElements(Duration.ofMillis(100)));
    }

    private static Answer answer(Mono<Answer> call) {
        return Objects.requireNonNull(call.block(PATIENCE));
    }
}
