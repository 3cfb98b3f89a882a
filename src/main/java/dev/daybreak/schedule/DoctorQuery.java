package dev.daybreak.schedule;

import dev.daybreak.platform.web.Input;
import org.jspecify.annotations.Nullable;

/**
 * Which doctors to list, in order of name.
 *
 * @param specialty the whole of it, upper or lower case
 * @param name a part of it, upper or lower case
 * @param after the last doctor of the page before; one that does not exist is followed by nobody
 */
record DoctorQuery(
        @Nullable String specialty,
        @Nullable String name,
        @Nullable Long after,
        int limit) {

    static final int MAX_LIMIT = 200;

    static DoctorQuery read(Input input) {
        var query = new DoctorQuery(
                input.optionalText("specialty", DoctorRequest.MAX_SPECIALTY),
                input.optionalText("name", DoctorRequest.MAX_NAME),
                input.optionalId("after"),
                input.integer("limit", 1, MAX_LIMIT, 100));
        input.complete();
        return query;
    }
}
