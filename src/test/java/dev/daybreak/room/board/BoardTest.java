package dev.daybreak.room.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import dev.daybreak.TestServers;
import dev.daybreak.room.LentRoom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.context.TestPropertySource;

/** The day's board as a list. The clinic is in Berlin. */
@DaybreakTest
@TestPropertySource(properties = "spring.data.redis.timeout=5s") // on a busy machine too
class BoardTest {

    private static final Instant MORNING = Instant.parse("2027-03-10T07:00:00Z");

    @Autowired
    ApplicationContext instance;

    @Autowired
    MutableClock clock;

    Clinic clinic;
    LentRoom room;

    @BeforeEach
    void openARoom() {
        clinic = new Clinic(instance);
        room = LentRoom.of(clinic);
        clock.set(MORNING);
    }

    @AfterEach
    void goOn() {
        clock.reset();
    }

    @Test
    void showsWhoHasTheRoomNowAndWhoIsNextAndWhatIsHeld() {
        Answer now = room.reserve(at("08:00"), at("09:00"), null);
        Answer next = room.reserve(at("10:00"), at("11:00"), null);
        Answer later = room.reserve(at("12:00"), at("13:00"), null);
        Answer held = room.hold(at("11:15"), at("12:00"));

        List<Map<String, Object>> entries = entries("");

        assertThat(entries).extracting("id").containsExactly(id(now), id(next), held.id(), id(later));
        assertThat(entries).extracting("kind").containsExactly("RESERVED", "RESERVED", "HELD", "RESERVED");
        assertThat(entries).extracting(entry -> entry.get("occupant")).containsExactly("CURRENT", "NEXT", null, null);
        assertThat(entries.get(2))
                .containsEntry("startAt", at("11:15").toString())
                .containsEntry("expiresAt", held.body().get("expiresAt"));

        clock.set(at("09:00"));
        clinic.get("/api/rooms/board"); // a copy from before may be a quarter of a second old
        pause();
        assertThat(entries("")).extracting(entry -> entry.get("occupant")).containsExactly(null, "NEXT", null);
        clock.set(at("12:30"));
        pause();
        assertThat(entries("")).extracting(entry -> entry.get("occupant")).containsExactly(null, null, "CURRENT");
    }

    private static Number id(Answer answer) {
        return (Number) answer.body().get("id");
    }

    @Test
    void showsWhatThisInstanceChangedAtOnce() {
        for (int i = 0; i < 5; i++) {
            Answer held = room.hold(at("11:00"), at("12:00"));
            assertThat(entries("")).hasSize(1);
            room.release(held);
            assertThat(entries("")).isEmpty();
            Answer reserved = room.reserve(at("11:00"), at("12:00"), null);
            assertThat(entries("")).hasSize(1);
            room.cancel(reserved);
            assertThat(entries("")).isEmpty();
        }
    }

    @Test
    void showsWhatGoesOverMidnightOnBothDays() {
        room.reserve(Instant.parse("2027-03-11T22:00:00Z"), Instant.parse("2027-03-12T01:00:00Z"), null);

        for (String day : List.of("2027-03-11", "2027-03-12")) {
            assertThat(entries("?date=" + day))
                    .singleElement()
                    .satisfies(entry -> assertThat(entry)
                            .containsEntry("startAt", "2027-03-11T22:00:00Z")
                            .containsEntry("endAt", "2027-03-12T01:00:00Z"));
        }
        assertThat(entries("?date=2027-03-10")).isEmpty();
        assertThat(entries("?date=2027-03-13")).isEmpty();
    }

    @Test
    void followsTheDayOfAnyZoneAndThoseOnWhichClocksChange() {
        room.reserve(Instant.parse("2027-03-11T16:00:00Z"), Instant.parse("2027-03-11T17:00:00Z"), null);

        assertThat(entries("?date=2027-03-11")).hasSize(1);
        assertThat(entries("?date=2027-03-12&zone=Asia/Tokyo")).hasSize(1);
        assertThat(entries("?date=2027-03-11&zone=Asia/Tokyo")).isEmpty();
        assertThat(board("?date=2027-03-28").body())
                .containsEntry("zone", "Europe/Berlin")
                .containsEntry("from", "2027-03-27T23:00:00Z")
                .containsEntry("to", "2027-03-28T22:00:00Z");
        assertThat(board("?date=2027-10-31").body())
                .containsEntry("from", "2027-10-30T22:00:00Z")
                .containsEntry("to", "2027-10-31T23:00:00Z");
        assertThat(board("?zone=Pacific/Kiritimati").body()).containsEntry("date", "2027-03-10");
        clock.set(Instant.parse("2027-03-10T11:00:00Z"));
        assertThat(board("?zone=Pacific/Kiritimati").body()).containsEntry("date", "2027-03-11");
    }

    @Test
    void isTheSameUntilSomethingChanges() {
        Answer first = board("");
        String etag = first.headers().get("ETag");

        assertThat(ifNoneMatch(etag).status().value()).isEqualTo(304);
        room.hold(at("11:00"), at("12:00"));
        Answer second = ifNoneMatch(etag);
        assertThat(second.status().value()).isEqualTo(200);
        assertThat(second.headers().get("ETag")).isNotEqualTo(etag);
        assertThat(second.headers()).containsEntry("Cache-Control", "no-cache");
    }

    private Answer ifNoneMatch(String etag) {
        return clinic.send(HttpMethod.GET, "/api/rooms/board", Map.of("If-None-Match", etag), null);
    }

    @Test
    void tellsStrangersNoMoreNamesThanTheClinicAllows() {
        clock.reset();
        Instant start = Instant.now().plusSeconds(86_400 * 2).truncatedTo(java.time.temporal.ChronoUnit.HOURS);
        room.reserve(start, start.plusSeconds(900), null);
        String day = "?zone=UTC&date=" + start.toString().substring(0, 10);

        assertThat(entries(day))
                .singleElement()
                .satisfies(entry -> assertThat(entry).containsOnlyKeys("kind", "id", "startAt", "endAt", "occupant"));
        assertThat(board(day).body().toString()).doesNotContain("Mori").doesNotContain("password");
        for (String[] allowed : new String[][] {{"initials", "H. M."}, {"full", "Haruka Mori"}}) {
            try (ConfigurableApplicationContext open =
                    TestServers.anotherInstance(instance, "daybreak.rooms.names=" + allowed[0])) {
                assertThat(entries(Clinic.at(open).get("/api/rooms/board" + day)))
                        .singleElement()
                        .satisfies(entry -> assertThat(entry).containsEntry("name", allowed[1]));
            }
        }
    }

    @Test
    void aRoomThatIsLentNoMoreIsThereWhileSomebodyHasIt() {
        LentRoom empty = LentRoom.of(clinic);
        room.reserve(at("11:00"), at("12:00"), null);
        clinic.execute("UPDATE room SET active = false WHERE id IN (%d, %d)".formatted(room.id(), empty.id()));
        pause();

        assertThat(rooms(board("")))
                .extracting(found -> ((Number) found.get("id")).longValue())
                .contains(room.id())
                .doesNotContain(empty.id());
    }

    @Test
    void namesWhatIsWrong() {
        for (String query : List.of("?date=yesterday", "?date=2027-02-30", "?zone=Mars", "?day=2027-03-10")) {
            assertThat(board(query).code()).as(query).isEqualTo("VALIDATION_FAILED");
        }
    }

    private Answer board(String query) {
        return clinic.get("/api/rooms/board" + query);
    }

    private List<Map<String, Object>> entries(String query) {
        return entries(board(query));
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> entries(Answer board) {
        return rooms(board).stream()
                .filter(found -> ((Number) found.get("id")).longValue() == room.id())
                .map(found -> (List<Map<String, Object>>) found.get("entries"))
                .findFirst()
                .orElseThrow();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rooms(Answer board) {
        return (List<Map<String, Object>>) board.body().get("rooms");
    }

    /** Until a copy of the board is too old to be served. */
    private static void pause() {
        org.awaitility.Awaitility.await()
                .pollDelay(java.time.Duration.ofMillis(300))
                .until(() -> true);
    }

    /** Of the morning's day, in Berlin. */
    private static Instant at(String time) {
        return Instant.parse("2027-03-10T" + time + ":00Z").minusSeconds(3600);
    }
}
