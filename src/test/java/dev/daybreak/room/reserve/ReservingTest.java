package dev.daybreak.room.reserve;

import static dev.daybreak.room.reserve.Lodger.DAY;
import static dev.daybreak.room.reserve.Lodger.PASSWORD;
import static dev.daybreak.room.reserve.Lodger.PATIENCE;
import static dev.daybreak.room.reserve.Lodger.at;
import static dev.daybreak.room.reserve.Lodger.body;
import static dev.daybreak.room.reserve.Lodger.path;
import static dev.daybreak.room.reserve.Lodger.range;
import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import dev.daybreak.room.ReservationChanged;
import dev.daybreak.room.TimeRange;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.http.HttpMethod;
import org.springframework.r2dbc.core.DatabaseClient;

@DaybreakTest
class ReservingTest {

    @Autowired
    ConfigurableApplicationContext service;

    @Autowired
    DatabaseClient database;

    @Autowired
    MutableClock clock;

    final List<ReservationChanged> events = new CopyOnWriteArrayList<>();
    final ApplicationListener<PayloadApplicationEvent<Object>> listener = ApplicationListener.forPayload(event -> {
        if (event instanceof ReservationChanged changed) {
            events.add(changed);
        }
    });

    Clinic clinic;
    Lodger lodger;
    long room;

    @BeforeEach
    void aRoom() {
        clinic = Clinic.at(service);
        lodger = new Lodger(clinic);
        room = lodger.room();
        service.addApplicationListener(listener);
    }

    @AfterEach
    void nothingIsBroken() {
        clock.reset();
        service.removeApplicationListener(listener);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void aRoomIsReservedForATime() {
        Answer answer = lodger.reserve(room, "09:00", "10:30");

        assertThat(answer.is(201)).as("%s", answer).isTrue();
        assertThat(answer.headers()).containsEntry("Location", path(answer.id()));
        assertThat(answer.body())
                .containsEntry("roomId", (int) room)
                .containsEntry("startAt", at("09:00").toString())
                .containsEntry("endAt", at("10:30").toString())
                .containsEntry("name", "Book club")
                .containsEntry("status", "ACTIVE")
                .containsEntry("revision", 1);
        assertThat(lodger.get(answer.id()).body())
                .containsAllEntriesOf(
                        Map.of("id", (int) answer.id(), "startAt", at("09:00").toString()));
    }

    @Test
    void theRowHasAHashAndTheEventNeitherNameNorPassword() {
        long id = lodger.reserve(room, "09:00", "10:00").id();
        lodger.move(id, "11:00", "12:00");
        lodger.cancel(id);

        String row = text("SELECT CAST(r AS text) FROM reservation r WHERE id = " + id);
        String told = text("SELECT string_agg(type || ' ' || payload, ', ' ORDER BY seq) FROM outbox_event"
                + " WHERE aggregatetype = 'reservation' AND aggregateid = '" + id + "'");

        assertThat(row).contains("$2a$04$").doesNotContain(PASSWORD);
        assertThat(told)
                .contains("ReservationCreated", "ReservationMoved", "ReservationCancelled", "\"fromRoomId\"")
                .doesNotContain("Book club", PASSWORD, "$2a$");
    }

    @Test
    void whatTouchesIsFreeAndWhatOverlapsIsNot() {
        assertThat(lodger.reserve(room, "09:00", "10:00").is(201)).isTrue();
        assertThat(lodger.reserve(room, "10:00", "11:00").is(201)).isTrue();

        for (String[] times : List.of(
                new String[] {"09:00", "10:00"},
                new String[] {"08:30", "09:15"},
                new String[] {"09:15", "09:30"},
                new String[] {"08:00", "12:00"},
                new String[] {"10:45", "11:15"})) {
            Answer refused = lodger.reserve(room, times[0], times[1]);
            assertThat(refused.is(409)).isTrue();
            assertThat(refused.code()).isEqualTo("RESERVATION_CONFLICT");
        }
        assertThat(lodger.reserve(lodger.room(), "09:00", "10:00").is(201))
                .as("another room")
                .isTrue();
        assertThat(lodger.active(room)).isEqualTo(2);
    }

    @Test
    void aReservationMayLastOverMidnight() {
        var start = at("22:00");

        assertThat(lodger.reserving(room, start, at(DAY.plusDays(1), "02:00"))
                        .block(PATIENCE)
                        .is(201))
                .isTrue();
        assertThat(lodger.reserving(room, at(DAY.plusDays(1), "01:00"), at(DAY.plusDays(1), "03:00"))
                        .block(PATIENCE)
                        .code())
                .isEqualTo("RESERVATION_CONFLICT");
        assertThat(listed("date=" + DAY)).hasSize(1);
        assertThat(listed("date=" + DAY.plusDays(1))).hasSize(1);
        assertThat(listed("date=" + DAY.plusDays(2))).isEmpty();
    }

    @Test
    void itIsCancelledOnceHoweverOftenAndTheTimeIsFree() {
        long id = lodger.reserve(room, "09:00", "10:00").id();

        assertThat(lodger.cancel(id).is(204)).isTrue();
        assertThat(lodger.cancel(id).is(204)).isTrue();

        assertThat(lodger.events(id)).isEqualTo(2);
        assertThat(lodger.get(id).body())
                .containsEntry("status", "CANCELLED")
                .containsEntry("cancelledBy", "owner")
                .containsEntry("revision", 2);
        assertThat(lodger.reserve(room, "09:30", "10:30").is(201)).isTrue();
        assertThat(lodger.move(id, "11:00", "12:00").code()).isEqualTo("RESERVATION_NOT_ACTIVE");
        assertThat(changed())
                .containsOnly(new TimeRange(at("09:00"), at("10:00")), new TimeRange(at("09:30"), at("10:30")))
                .hasSize(3);
    }

    @Test
    void onlyThePasswordOpensIt() {
        long id = lodger.reserve(room, "09:00", "10:00").id();

        for (Map<String, String> headers : List.of(
                Map.<String, String>of(),
                Map.of("Reservation-Password", "blue door 7"),
                Map.of("Reservation-Password", ""),
                Map.of("Reservation-Password", PASSWORD + PASSWORD.repeat(20)))) {
            for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.DELETE)) {
                Answer refused = clinic.send(method, path(id), headers, null);
                assertThat(refused.is(403)).as("%s", refused).isTrue();
                assertThat(refused.code()).isEqualTo("RESERVATION_FORBIDDEN");
            }
            assertThat(clinic.send(HttpMethod.PUT, path(id), headers, range(at("11:00"), at("12:00")))
                            .code())
                    .isEqualTo("RESERVATION_FORBIDDEN");
        }
        assertThat(lodger.get(id).body()).containsEntry("revision", 1);
        assertThat(lodger.cancel(99_999_999).code()).isEqualTo("RESERVATION_NOT_FOUND");
    }

    @Test
    void itMovesInTimeAndToAnotherRoom() {
        long id = lodger.reserve(room, "09:00", "10:00").id();
        long other = lodger.room();

        assertThat(lodger.move(id, "09:30", "10:30").is(200)).as("over itself").isTrue();
        Answer moved = lodger.moveTo(other, id, "12:00", "13:00");

        assertThat(moved.is(200)).isTrue();
        assertThat(moved.body())
                .containsEntry("roomId", (int) other)
                .containsEntry("startAt", at("12:00").toString())
                .containsEntry("revision", 3);
        assertThat(moved.body().get("history").toString())
                .contains("RESERVED", "MOVED", "fromRoomId=" + room, "toRoomId=" + other);
        assertThat(lodger.active(room)).isZero();
        assertThat(lodger.reserve(room, "09:30", "10:30").is(201)).isTrue();
        assertThat(lodger.moveTo(other, id, "12:00", "13:00").body())
                .as("where it is already")
                .containsEntry("revision", 3);
        assertThat(lodger.events(id)).isEqualTo(3);
    }

    @Test
    void itKeepsItsPlaceWhenItCannotHaveTheOther() {
        long id = lodger.reserve(room, "09:00", "10:00").id();
        lodger.reserve(room, "10:00", "11:00");

        assertThat(lodger.move(id, "09:30", "10:30").code()).isEqualTo("RESERVATION_CONFLICT");
        assertThat(lodger.moveTo(99_999_999, id, "09:00", "10:00").code()).isEqualTo("ROOM_NOT_FOUND");

        assertThat(lodger.get(id).body())
                .containsEntry("startAt", at("09:00").toString())
                .containsEntry("revision", 1);
    }

    @Test
    void whatHasBegunCanBeMadeLongerAndCannotBeginEarlier() {
        long id = lodger.reserve(room, "09:00", "10:00").id();
        clock.set(at("09:40"));

        assertThat(lodger.move(id, "09:00", "11:00").is(200)).isTrue();
        Answer past = lodger.move(id, "08:00", "11:00");
        assertThat(past.is(400)).isTrue();
        assertThat(past.body().get("violations").toString()).contains("startAt", "not-past");
        assertThat(lodger.reserve(room, "09:15", "09:30").is(400)).as("over").isTrue();
        assertThat(lodger.reserve(room, "09:30", "10:00").code())
                .as("the step of the grid that is running")
                .isEqualTo("RESERVATION_CONFLICT");
        clock.set(at("11:00"));
        assertThat(lodger.move(id, "12:00", "13:00").code()).isEqualTo("RESERVATION_NOT_ACTIVE");
    }

    @Test
    void onesOwnAreFoundByNameAndPassword() {
        String name = "Choir " + UUID.randomUUID();
        long mine = reserve(name, PASSWORD, "09:00", "10:00").id();
        long later = reserve(name, PASSWORD, "11:00", "12:00").id();
        reserve(name, "blue door 7", "13:00", "14:00");
        lodger.cancel(reserve(name, PASSWORD, "15:00", "16:00").id());

        assertThat(lodger.search(name.toUpperCase(), PASSWORD))
                .extracting(found -> ((Number) found.get("id")).longValue())
                .containsExactly(mine, later);
        assertThat(lodger.search(name, "green door")).isEmpty();
        assertThat(lodger.search("Nobody " + UUID.randomUUID(), PASSWORD)).isEmpty();
        clock.set(at("10:00"));
        assertThat(lodger.search(name, PASSWORD)).hasSize(1);
    }

    private Answer reserve(String name, String password, String from, String to) {
        Map<String, Object> body = body(at(from), at(to));
        body.put("name", name);
        body.put("password", password);
        return lodger.reserving(room, Map.of(), body).block(PATIENCE);
    }

    @Test
    void theSameRequestReservesOnce() {
        Map<String, String> key = Map.of("Idempotency-Key", Clinic.newKey());
        Map<String, Object> body = body(at("09:00"), at("10:00"));
        Answer first = lodger.reserving(room, key, body).block(PATIENCE);

        Answer again = lodger.reserving(room, key, body).block(PATIENCE);

        assertThat(first.is(201)).isTrue();
        assertThat(again.is(200)).as("%s", again).isTrue();
        assertThat(again.id()).isEqualTo(first.id());
        for (Map<String, Object> other : List.of(
                Map.<String, Object>of("endAt", at("11:00").toString()),
                Map.<String, Object>of("name", "Chess club"),
                Map.<String, Object>of("password", "blue door 7"))) {
            Map<String, Object> changed = new HashMap<>(body);
            changed.putAll(other);
            Answer reused = lodger.reserving(room, key, changed).block(PATIENCE);
            assertThat(reused.is(422)).as("%s %s", other, reused).isTrue();
            assertThat(reused.body()).doesNotContainKey("id");
        }
        lodger.move(first.id(), "12:00", "13:00");
        assertThat(lodger.reserving(room, key, body).block(PATIENCE).body())
                .as("as it is now")
                .containsEntry("startAt", at("12:00").toString());
        assertThat(lodger.active(room)).isEqualTo(1);
    }

    @Test
    void aRefusalIsNotRememberedUnderTheKey() {
        long first = lodger.reserve(room, "09:00", "10:00").id();
        Map<String, String> key = Map.of("Idempotency-Key", Clinic.newKey());
        Map<String, Object> body = body(at("09:00"), at("10:00"));

        assertThat(lodger.reserving(room, key, body).block(PATIENCE).is(409)).isTrue();
        lodger.cancel(first);

        assertThat(lodger.reserving(room, key, body).block(PATIENCE).is(201)).isTrue();
    }

    @Test
    void aRoomMustBeThereAndLent() {
        Map<String, Object> inactive = Map.of("name", "Shut " + UUID.randomUUID(), "active", false);
        long id = lodger.reserve(room, "09:00", "10:00").id();
        assertThat(clinic.send(HttpMethod.PUT, "/api/admin/rooms/" + room, Map.of(), inactive)
                        .is(200))
                .isTrue();

        assertThat(lodger.reserve(room, "11:00", "12:00").code()).isEqualTo("ROOM_CLOSED");
        assertThat(lodger.reserve(99_999_999, "11:00", "12:00").code()).isEqualTo("ROOM_NOT_FOUND");
        assertThat(lodger.get(id).body()).as("keeps what it has").containsEntry("status", "ACTIVE");
    }

    @Test
    void staffSeeTheDayAndCancelWithAReason() {
        long id = lodger.reserve(room, "09:00", "10:00").id();
        long cancelled = lodger.reserve(room, "11:00", "12:00").id();
        lodger.cancel(cancelled);

        assertThat(clinic.send(HttpMethod.DELETE, "/api/admin" + path(id).substring(4), Map.of(), null)
                        .is(400))
                .as("no reason")
                .isTrue();
        assertThat(clinic.send(
                                HttpMethod.DELETE,
                                "/api/admin/reservations/" + id + "?reason=water damage",
                                Map.of(),
                                null)
                        .is(204))
                .isTrue();

        assertThat(lodger.get(id).body())
                .containsEntry("cancelledBy", "staff")
                .containsEntry("cancelReason", "water damage");
        String trail =
                clinic.get("/api/admin/audit?subject=reservation:" + id).body().toString();
        assertThat(trail)
                .contains("reservation.cancel", "water damage", "ACTIVE", "CANCELLED")
                .doesNotContain("Book club");
        assertThat(listed("date=" + DAY)).hasSize(2);
        assertThat(listed("date=" + DAY + "&status=ACTIVE")).isEmpty();
        assertThat(listed("date=" + DAY.minusDays(1))).isEmpty();
        assertThat(clinic.send(HttpMethod.DELETE, "/api/admin/reservations/99999999?reason=x", Map.of(), null)
                        .code())
                .isEqualTo("RESERVATION_NOT_FOUND");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            startAt   | 2030-05-02T09:00:00  | startAt
            startAt   | tomorrow             | startAt
            endAt     | 2030-05-02T09:00:00Z | startAt
            name      |                      | name
            password  | abc                  | password
            password  | 비밀번호를 쓰자        | password
            holdTocken| x                    | holdTocken
            """)
    void aMistakeIsNamed(String field, String value, String named) {
        Map<String, Object> body = body(at("09:00"), at("10:00"));
        body.put(field, value);
        if (field.equals("endAt")) {
            body.put("startAt", value);
        }

        Answer answer = lodger.reserving(room, Map.of(), body).block(PATIENCE);

        assertThat(answer.is(400)).as("%s", answer).isTrue();
        assertThat(answer.body().get("violations").toString())
                .contains("field=" + (field.equals("endAt") ? "endAt" : named));
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, PT0S, endAt, after",
        "PT0S, -PT1H, endAt, after",
        "PT5M, PT1H, startAt, grid",
        "PT0S, PT50M, endAt, grid",
        "PT0S, PT13H, endAt, longest-stay",
        "PT480H, PT481H, startAt, not-after",
        "-PT240H, -PT239H, startAt, not-past"
    })
    void aTimeThatCannotBeHadIsNamed(Duration from, Duration to, String field, String rule) {
        Answer answer = lodger.reserving(
                        room, at("09:00").plus(from), at("09:00").plus(to))
                .block(PATIENCE);

        assertThat(answer.is(400)).as("%s", answer).isTrue();
        assertThat(answer.body().get("violations").toString()).contains("field=" + field, "rule=" + rule);
    }

    private List<?> listed(String query) {
        return (List<?>) clinic.get("/api/admin/reservations?roomId=" + room + "&" + query)
                .body()
                .get("list");
    }

    private List<TimeRange> changed() {
        return events.stream()
                .filter(event -> event.roomId() == room)
                .map(ReservationChanged::range)
                .toList();
    }

    private String text(String sql) {
        return database.sql(sql).mapValue(String.class).one().block(PATIENCE);
    }
}
