package dev.daybreak.availability.day;

import dev.daybreak.schedule.Slot;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Slots on their way to the other instances: a JSON array with an array of whole numbers for each slot. */
final class SlotMessage {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int FIELDS = 9;
    private static final int MICROS = 1_000_000;

    private SlotMessage() {}

    static byte[] write(Collection<Slot> slots) {
        var text = new StringBuilder(2 + 96 * slots.size()).append('[');
        String separator = "";
        for (Slot slot : slots) {
            text.append(separator).append('[').append(slot.id());
            text.append(',').append(slot.doctorId());
            text.append(',').append(micros(slot.startAt()));
            text.append(',').append(micros(slot.endAt()));
            text.append(',').append(slot.capacity());
            text.append(',').append(slot.bookedCount());
            text.append(',').append(micros(slot.opensAt()));
            text.append(',').append(slot.closed() ? 1 : 0);
            text.append(',').append(slot.version()).append(']');
            separator = ",";
        }
        return text.append(']').toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** The slots of a message. Throws a runtime exception for anything else. */
    static List<Slot> slots(byte[] message) {
        long[][] slots = JSON.readValue(message, long[][].class);
        return Arrays.stream(slots).map(SlotMessage::slot).toList();
    }

    private static Slot slot(long[] fields) {
        // A later release may add fields at the end.
        if (fields.length < FIELDS) {
            throw new IllegalArgumentException("A slot of " + fields.length + " fields");
        }
        return new Slot(
                fields[0],
                fields[1],
                instant(fields[2]),
                instant(fields[3]),
                Math.toIntExact(fields[4]),
                Math.toIntExact(fields[5]),
                instant(fields[6]),
                fields[7] != 0,
                fields[8]);
    }

    private static long micros(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), (long) MICROS), instant.getNano() / 1000);
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000L);
    }
}
