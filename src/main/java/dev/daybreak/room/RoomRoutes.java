package dev.daybreak.room;

import static dev.daybreak.platform.problem.ProblemCode.ROOM_EXISTS;
import static dev.daybreak.platform.problem.ProblemCode.ROOM_NOT_FOUND;
import static dev.daybreak.platform.security.Access.everybody;
import static dev.daybreak.platform.security.Access.staff;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.web.ApiRoutes;

/** The calls about rooms themselves. */
final class RoomRoutes {

    private RoomRoutes() {}

    static ApiRoutes of(RoomHandler handler) {
        return route().GET(
                        "/api/rooms",
                        everybody(),
                        handler::list,
                        doc("listRooms", "List the rooms that can be reserved")
                                .tag("Rooms")
                                .description("In order of name.")
                                .answersList(200, "The rooms", Room.class, "[" + Room.EXAMPLE + "]"))
                .GET(
                        "/api/rooms/rules",
                        everybody(),
                        handler::rules,
                        doc("roomRules", "Show when rooms may be reserved")
                                .tag("Rooms")
                                .answers(200, "The rules", RoomRules.class, RoomRules.EXAMPLE))
                .GET(
                        "/api/rooms/{id}",
                        everybody(),
                        handler::get,
                        doc("getRoom", "Show a room")
                                .tag("Rooms")
                                .path("id", Long.class, "The room", "3")
                                .answers(200, "The room", Room.class, Room.EXAMPLE)
                                .problems(ROOM_NOT_FOUND))
                .GET(
                        "/api/admin/rooms",
                        staff(),
                        handler::listAll,
                        doc("listAllRooms", "List all rooms, also those that cannot be reserved now")
                                .tag("Administration")
                                .answersList(200, "The rooms", Room.class, "[" + Room.EXAMPLE + "]"))
                .POST(
                        "/api/admin/rooms",
                        staff(),
                        handler::add,
                        doc("addRoom", "Add a room")
                                .tag("Administration")
                                .body(RoomRequest.class, RoomRequest.EXAMPLE)
                                .answers(201, "The room was added", Room.class, Room.EXAMPLE)
                                .problems(ROOM_EXISTS))
                .PUT(
                        "/api/admin/rooms/{id}",
                        staff(),
                        handler::change,
                        doc("changeRoom", "Describe a room anew")
                                .tag("Administration")
                                .description(
                                        "What is not given is as in a new room. With active false it takes no new reservations; it keeps those it has.")
                                .path("id", Long.class, "The room", "3")
                                .body(RoomRequest.class, RoomRequest.EXAMPLE)
                                .answers(200, "The room as it is now", Room.class, Room.EXAMPLE)
                                .problems(ROOM_NOT_FOUND, ROOM_EXISTS));
    }
}
