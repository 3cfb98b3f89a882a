package dev.daybreak.room.hold;

import java.time.Duration;
import java.time.Instant;

/** What became of the wish to hold a room, or to change a hold. */
sealed interface HoldOutcome {

    /** It is held. */
    record Held(HeldRange hold, HoldKey key) implements HoldOutcome {}

    /** Somebody else holds a part of the range, or is reserving it at this moment. */
    record TakenByHold() implements HoldOutcome {}

    /** A part of the range is reserved. */
    record Reserved() implements HoldOutcome {}

    /** The client has as many holds as it may, or has held this room too often. */
    record TooMany(Duration retryAfter) implements HoldOutcome {}

    record NoSuchRoom() implements HoldOutcome {}

    /** The clinic takes no reservations for the room. */
    record RoomClosed() implements HoldOutcome {}

    /** It lasts longer, or as long as before. */
    record Extended(HeldRange hold) implements HoldOutcome {}

    /** It is over. */
    record Released() implements HoldOutcome {}

    /** It lasts as long as a hold can, and no longer. */
    record AtItsLimit(Instant expiresAt) implements HoldOutcome {}

    /** The token is missing or not that of this hold. */
    record WrongToken() implements HoldOutcome {}

    /** There is none under that id, or it has expired, been released or become a reservation. */
    record NoSuchHold() implements HoldOutcome {}

    /** Redis does not answer, so nothing can be held; what there is may have been changed all the same. */
    record Unavailable() implements HoldOutcome {}
}
