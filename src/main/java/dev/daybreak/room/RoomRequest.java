package dev.daybreak.room;

import dev.daybreak.platform.web.Input;
import org.jspecify.annotations.Nullable;

/** A room as the clinic's staff describe it. */
record RoomRequest(String name, int seats, @Nullable String description, boolean active) {

    static final String EXAMPLE = """
            {"name": "Library", "seats": 8, "description": "Ground floor, with a screen"}""";

    static final int MAX_NAME = 100;
    static final int MAX_DESCRIPTION = 500;
    static final int MAX_SEATS = 100_000;

    static RoomRequest read(Input input) {
        var room = new RoomRequest(
                input.text("name", MAX_NAME),
                input.integer("seats", 1, MAX_SEATS, 1),
                input.optionalText("description", MAX_DESCRIPTION),
                input.flag("active", true));
        input.complete();
        return room;
    }
}
