package dev.daybreak.availability;

import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.platform.answer.Rendition;
import dev.daybreak.schedule.Slot;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a doctor's day, each already written as JSON, in order of start. Immutable. The same bytes serve every
 * format, with all slots or the offered ones: a list is put together by copying, nothing is parsed or written again.
 */
final class DayList {

    // Raised when the layout of the bytes changes, so that instances of two releases can share one Redis.
    private static final byte LAYOUT = 1;

    // Clocks of instances differ a little: what was loaded "in the future" beyond this is not believed.
    private static final long CLOCK_SKEW_MILLIS = Duration.ofSeconds(5).toMillis();

    private final Entry[] entries;
    private final long loadedAt;
    private final long validUntil;
    private final AtomicReferenceArray<Rendition> renditions = new AtomicReferenceArray<>(4);

    /** What has to be known of a slot without reading its JSON. Times are milliseconds since 1970. */
    private record Entry(long id, long version, long startAt, boolean offered, byte[] json) {

        static final int FIXED_BYTES = 3 * Long.BYTES + 1 + Integer.BYTES;

        static Entry of(Slot slot, Instant now, SlotJson json) {
            return new Entry(
                    slot.id(),
                    slot.version(),
                    slot.startAt().toEpochMilli(),
                    slot.stateAt(now).isOffered(),
                    json.of(slot, now));
        }
    }

    private DayList(Entry[] entries, long loadedAt, long validUntil) {
        this.entries = entries;
        this.loadedAt = loadedAt;
        this.validUntil = validUntil;
    }

    /** @param now at which the slots were read; the list is valid until the clock alone changes a slot's state */
    static DayList of(List<Slot> slots, Instant now, SlotJson json) {
        long validUntil = slots.stream()
                .flatMap(slot -> Stream.of(slot.opensAt(), slot.startAt()))
                .filter(change -> change.isAfter(now))
                .mapToLong(DayList::notBefore)
                .min()
                .orElse(Long.MAX_VALUE);
        Entry[] entries = slots.stream().map(slot -> Entry.of(slot, now, json)).toArray(Entry[]::new);
        return new DayList(entries, now.toEpochMilli(), validUntil);
    }

    /** This list with the newer state of one of its slots; this very list if it is not newer, or no slot of it. */
    DayList with(Slot slot, Instant now, SlotJson json) {
        for (int i = 0; i < entries.length; i++) {
            if (entries[i].id == slot.id()) {
                return entries[i].version < slot.version() ? with(i, Entry.of(slot, now, json)) : this;
            }
        }
        return this;
    }

    private DayList with(int place, Entry entry) {
        Entry[] changed = entries.clone();
        changed[place] = entry;
        return new DayList(changed, loadedAt, validUntil);
    }

    /** The slots of consecutive days that start in the time from {@code from} to before {@code to}. */
    static DayList between(List<DayList> days, Instant from, Instant to) {
        long first = from.toEpochMilli();
        long end = to.toEpochMilli();
        Entry[] entries = days.stream()
                .flatMap(day -> Arrays.stream(day.entries))
                .filter(entry -> entry.startAt >= first && entry.startAt < end)
                .toArray(Entry[]::new);
        return new DayList(
                entries,
                days.stream().mapToLong(day -> day.loadedAt).min().orElseThrow(),
                days.stream().mapToLong(day -> day.validUntil).min().orElseThrow());
    }

    /** When the slots were read from PostgreSQL, in milliseconds since 1970. */
    long loadedAt() {
        return loadedAt;
    }

    /** When the first slot changes its state by itself, in milliseconds since 1970. */
    long validUntil() {
        return validUntil;
    }

    boolean isValidAt(long millis) {
        return millis < validUntil && loadedAt <= millis + CLOCK_SKEW_MILLIS;
    }

    /** The response of a format, made once. */
    Rendition rendition(boolean all, boolean lines) {
        int place = (all ? 2 : 0) + (lines ? 1 : 0);
        Rendition made = renditions.get(place);
        if (made == null) {
            made = Rendition.of(lines ? lines(all) : array(all));
            renditions.set(place, made);
        }
        return made;
    }

    private byte[] array(boolean all) {
        int length = 2;
        for (Entry entry : entries) {
            length += all || entry.offered ? entry.json.length + 1 : 0;
        }
        ByteBuffer bytes = ByteBuffer.allocate(length).put((byte) '[');
        for (Entry entry : entries) {
            if (all || entry.offered) {
                (bytes.position() == 1 ? bytes : bytes.put((byte) ',')).put(entry.json);
            }
        }
        bytes.put((byte) ']');
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private byte[] lines(boolean all) {
        int length = 0;
        for (Entry entry : entries) {
            length += all || entry.offered ? entry.json.length + 1 : 0;
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (Entry entry : entries) {
            if (all || entry.offered) {
                bytes.put(entry.json).put((byte) '\n');
            }
        }
        return bytes.array();
    }

    /** The list as it is kept in Redis. */
    ByteBuffer toBytes() {
        int length = 1 + 2 * Long.BYTES + Integer.BYTES;
        for (Entry entry : entries) {
            length += Entry.FIXED_BYTES + entry.json.length;
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        bytes.put(LAYOUT).putLong(loadedAt).putLong(validUntil).putInt(entries.length);
        for (Entry entry : entries) {
            bytes.putLong(entry.id).putLong(entry.version).putLong(entry.startAt);
            bytes.put((byte) (entry.offered ? 1 : 0)).putInt(entry.json.length).put(entry.json);
        }
        return bytes.flip();
    }

    /** What {@link #toBytes} wrote, or null for anything else, a tombstone above all. */
    static @Nullable DayList from(ByteBuffer bytes) {
        if (!bytes.hasRemaining() || bytes.get() != LAYOUT) {
            return null;
        }
        long loadedAt = bytes.getLong();
        long validUntil = bytes.getLong();
        Entry[] entries = new Entry[bytes.getInt()];
        for (int i = 0; i < entries.length; i++) {
            long id = bytes.getLong();
            long version = bytes.getLong();
            long startAt = bytes.getLong();
            boolean offered = bytes.get() == 1;
            byte[] json = new byte[bytes.getInt()];
            bytes.get(json);
            entries[i] = new Entry(id, version, startAt, offered, json);
        }
        return new DayList(entries, loadedAt, validUntil);
    }

    // Rounded up, so that at this millisecond the state has changed already.
    private static long notBefore(Instant instant) {
        return instant.plusNanos(999_999).toEpochMilli();
    }
}
