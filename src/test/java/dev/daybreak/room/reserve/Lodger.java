package dev.daybreak.room.reserve;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Somebody who reserves rooms over HTTP, always with the same password. */
record Lodger(Clinic clinic) {

    static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    static final LocalDate DAY = LocalDate.now(BERLIN).plusDays(5);
    static final String PASSWORD = "red door 7";
    static final Duration PATIENCE = Duration.ofSeconds(120);

    /** A room nobody else uses. */
    long room() {
        return clinic.send(
                        HttpMethod.POST,
                        "/api/admin/rooms",
                        Map.of(),
                        Map.of("name", "Room " + UUID.randomUUID(), "seats", 8))
                .id();
    }

    static Instant at(LocalDate day, String time) {
        return day.atTime(LocalTime.parse(time)).atZone(BERLIN).toInstant();
    }

    static Instant at(String time) {
        return at(DAY, time);
    }

    static Map<String, Object> range(Instant start, Instant end) {
        return new HashMap<>(Map.of("startAt", start.toString(), "endAt", end.toString()));
    }

    static Map<String, Object> body(Instant start, Instant end) {
        Map<String, Object> body = range(start, end);
        body.put("name", "Book club");
        body.put("password", PASSWORD);
        return body;
    }

    Answer reserve(long room, String from, String to) {
        return reserving(room, at(from), at(to)).block(PATIENCE);
    }

    Mono<Answer> reserving(long room, Instant start, Instant end) {
        return reserving(room, Map.of(), body(start, end));
    }

    Mono<Answer> reserving(long room, Map<String, String> headers, Map<String, Object> body) {
        return clinic.calling(HttpMethod.POST, "/api/rooms/" + room + "/reservations", headers, body);
    }

    Mono<Answer> moving(long reservation, Map<String, Object> body) {
        return clinic.calling(HttpMethod.PUT, path(reservation), Map.of("Reservation-Password", PASSWORD), body);
    }

    Answer move(long reservation, String from, String to) {
        return moving(reservation, range(at(from), at(to))).block(PATIENCE);
    }

    Answer moveTo(long room, long reservation, String from, String to) {
        Map<String, Object> body = range(at(from), at(to));
        body.put("roomId", room);
        return moving(reservation, body).block(PATIENCE);
    }

    Mono<Answer> cancelling(long reservation) {
        return clinic.calling(HttpMethod.DELETE, path(reservation), Map.of("Reservation-Password", PASSWORD), null);
    }

    Answer cancel(long reservation) {
        return cancelling(reservation).block(PATIENCE);
    }

    Answer get(long reservation) {
        return clinic.send(HttpMethod.GET, path(reservation), Map.of("Reservation-Password", PASSWORD), null);
    }

    @SuppressWarnings("unchecked")
    List<Map<String, Object>> search(String name, String password) {
        Answer answer = clinic.send(
                HttpMethod.POST, "/api/reservations/search", Map.of(), Map.of("name", name, "password", password));
        return (List<Map<String, Object>>) answer.body().get("list");
    }

    static String path(long reservation) {
        return "/api/reservations/" + reservation;
    }

    long active(long room) {
        return clinic.number("SELECT count(*) FROM reservation WHERE status = 'ACTIVE' AND room_id = " + room);
    }

    long events(long reservation) {
        return clinic.number(
                "SELECT count(*) FROM outbox_event WHERE aggregatetype = 'reservation' AND aggregateid = '%d'"
                        .formatted(reservation));
    }

    static <T> List<T> all(List<Mono<T>> calls) {
        return Flux.merge(Flux.fromIterable(calls), 256).collectList().block(PATIENCE);
    }
}
