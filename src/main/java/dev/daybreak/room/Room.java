package dev.daybreak.room;

import org.jspecify.annotations.Nullable;

/**
 * A room that is lent out.
 *
 * @param name no other room has the same
 * @param active false if it takes no new reservations; it keeps those it has
 * @param version rises with every change of the room itself
 */
public record Room(
        long id, String name, int seats, @Nullable String description, boolean active, int version) {

    static final String EXAMPLE = """
            {"id": 3, "name": "Library", "seats": 8, "description": "Ground floor, with a screen", "active": true, "version": 1}""";
}
