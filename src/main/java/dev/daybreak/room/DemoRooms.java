package dev.daybreak.room;

import dev.daybreak.schedule.DemoData;
import java.util.List;
import reactor.core.publisher.Mono;

/** Adds a few rooms where there is none. */
final class DemoRooms implements DemoData {

    private static final List<RoomRequest> ROOMS = List.of(
            new RoomRequest("Library", 8, "Ground floor, with a screen", true),
            new RoomRequest("Garden room", 20, "Ground floor, chairs for a talk", true),
            new RoomRequest("Treatment room 1", 2, "First floor, with a couch", true),
            new RoomRequest("Treatment room 2", 2, "First floor, with a couch", true));

    private final Rooms rooms;

    DemoRooms(Rooms rooms) {
        this.rooms = rooms;
    }

    @Override
    public Mono<String> furnish() {
        return rooms.addIfThereIsNone(ROOMS).filter(added -> added > 0).map(added -> added + " rooms");
    }
}
