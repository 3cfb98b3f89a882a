package dev.daybreak.room;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Mono;

/** Adds a few rooms where there is none, so that the first look at the service shows something to reserve. */
final class DemoRooms implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(DemoRooms.class);
    private static final long PATIENCE_SECONDS = 30;

    static final List<RoomRequest> ROOMS = List.of(
            new RoomRequest("Library", 8, "Ground floor, with a screen", true),
            new RoomRequest("Garden room", 20, "Ground floor, chairs for a talk", true),
            new RoomRequest("Treatment room 1", 2, "First floor, with a couch", true),
            new RoomRequest("Treatment room 2", 2, "First floor, with a couch", true));

    private final boolean enabled;
    private final Rooms rooms;
    private volatile boolean done;

    DemoRooms(boolean enabled, Rooms rooms) {
        this.enabled = enabled;
        this.rooms = rooms;
    }

    /** Waits for it: the service must not open its doors before the rooms are in. */
    @Override
    public void start() {
        done = true;
        if (enabled) {
            rooms.addIfThereIsNone(ROOMS)
                    .doOnNext(DemoRooms::report)
                    .onErrorResume(failure -> {
                        LOG.warn("The demo rooms could not be added", failure);
                        return Mono.empty();
                    })
                    .toFuture()
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
        }
    }

    private static void report(long added) {
        if (added > 0) {
            LOG.info("Added {} demo rooms", added);
        }
    }

    @Override
    public void stop() {
        done = false;
    }

    @Override
    public boolean isRunning() {
        return done;
    }

    @Override
    public int getPhase() {
        return 1; // after the pool has been warmed up, and long before the web server
    }
}
