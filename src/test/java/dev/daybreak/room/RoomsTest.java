package dev.daybreak.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

@DaybreakTest
class RoomsTest {

    @Autowired
    ApplicationContext service;

    @Autowired
    Rooms rooms;

    Clinic clinic;
    String name;

    @BeforeEach
    void aName() {
        clinic = Clinic.at(service);
        name = "Room " + UUID.randomUUID();
    }

    private Answer add(Map<String, Object> body) {
        return clinic.send(HttpMethod.POST, "/api/admin/rooms", Map.of(), body);
    }

    private Answer change(long id, Map<String, Object> body) {
        return clinic.send(HttpMethod.PUT, "/api/admin/rooms/" + id, Map.of(), body);
    }

    private List<Object> ids(String path) {
        return ((List<?>) clinic.get(path).body().get("list"))
                .stream()
                        .map(room -> ((Map<?, ?>) room).get("id"))
                        .map(Object.class::cast)
                        .toList();
    }

    @Test
    void aRoomIsAddedChangedAndListed() {
        Answer added = add(Map.of("name", name, "seats", 8, "description", "With a screen"));
        int id = (int) added.id();

        assertThat(added.is(201)).isTrue();
        assertThat(added.body())
                .containsEntry("name", name)
                .containsEntry("active", true)
                .containsEntry("version", 1);
        assertThat(added.headers()).containsEntry("Location", "/api/rooms/" + id);
        assertThat(clinic.get("/api/rooms/" + id).body()).isEqualTo(added.body());
        assertThat(clinic.get("/api/rooms/99999999").code()).isEqualTo("ROOM_NOT_FOUND");
        assertThat(ids("/api/rooms")).contains(id);

        Answer changed = change(id, Map.of("name", name + "!", "seats", 12, "active", false));

        assertThat(changed.body())
                .containsEntry("name", name + "!")
                .containsEntry("seats", 12)
                .containsEntry("version", 2)
                .doesNotContainKey("description");
        assertThat(ids("/api/rooms")).doesNotContain(id);
        assertThat(ids("/api/admin/rooms")).contains(id);
    }

    @Test
    void twoRoomsOfOneNameAreOneTooMany() {
        add(Map.of("name", name, "seats", 8));
        long other = add(Map.of("name", name + " 2", "seats", 8)).id();

        assertThat(add(Map.of("name", name, "seats", 2)).code()).isEqualTo("ROOM_EXISTS");
        assertThat(change(other, Map.of("name", name, "seats", 2)).code()).isEqualTo("ROOM_EXISTS");
        assertThat(change(99_999_999, Map.of("name", name, "seats", 2)).code()).isEqualTo("ROOM_NOT_FOUND");
    }

    @Test
    void demoRoomsAreAddedOnlyWhereThereIsNone() {
        add(Map.of("name", name, "seats", 8));

        assertThat(new DemoRooms(rooms).furnish().block()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"seats, 0", "seats, -1", "seats, 1000000000", "name, ''", "colour, blue", "active, maybe"})
    void aMistakeIsNamed(String field, String value) {
        Map<String, Object> body = new HashMap<>(Map.of("name", name, "seats", 8));
        body.put(field, field.equals("seats") ? Integer.valueOf(value) : value);

        Answer answer = add(body);

        assertThat(answer.is(400)).isTrue();
        assertThat(answer.body().get("violations").toString()).contains("field=" + field);
    }
}
