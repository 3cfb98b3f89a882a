package dev.daybreak.bench.outside;

import dev.daybreak.bench.outside.RemoteClinic.Day;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * Those who watch a day, and when each event of it had reached the last of them. An event's bytes are the same for all, so only
 * the first copy is read.
 */
final class Audience {

    private final Day day;
    private final int size;
    private final List<Member> members = new ArrayList<>();
    private final TreeMap<Integer, Event> events = new TreeMap<>();
    private int greeted;
    private long delivered;

    Audience(Day day, int size) {
        this.day = day;
        this.size = size;
    }

    /** What an event said, who has that state or a newer one, and when the last of them got it. */
    private static final class Event {

        private TreeMap<Long, String> slots = new TreeMap<>();
        private int reached;
        private long lastAt;
    }

    Day day() {
        return day;
    }

    Wire.Peer newMember() {
        var member = new Member();
        members.add(member);
        return member;
    }

    /** Members that have their first snapshot. */
    int greeted() {
        return greeted;
    }

    /** Events received, snapshots included, but for the first of each member. */
    long delivered() {
        return delivered;
    }

    /** When everybody knew that the slot had no more than so many seats left; -1 if somebody never did. */
    long knownAt(long slotId, int remaining) {
        for (Event event : events.values()) {
            String slot = event.slots.get(slotId);
            if (slot != null && remaining(slot) <= remaining) {
                return event.reached == size ? event.lastAt : -1;
            }
        }
        return -1;
    }

    void leave() {
        for (int i = 0; i < members.size(); i++) {
            members.get(i).leave(i % 2 == 0);
        }
        members.clear();
    }

    private static int remaining(String slot) {
        String name = "\"remaining\":";
        int from = slot.indexOf(name) + name.length();
        return Integer.parseInt(slot.substring(from, slot.indexOf(',', from)));
    }

    private final class Member extends Watcher {

        private int seen = -1;

        Member() {
            super(day.watch());
        }

        @Override
        void event(int number, boolean snapshot, byte[] text, int from, int to) {
            if (seen < 0) {
                greeted++;
            } else {
                delivered++;
                reach(number);
                Event event = events.get(number);
                // A snapshot may be ahead of its number.
                if (!snapshot && event != null && event.slots.isEmpty()) {
                    event.slots = slots(new String(Arrays.copyOfRange(text, from, to), StandardCharsets.UTF_8));
                }
            }
            seen = Math.max(seen, number);
        }

        /** Who gets a snapshot instead of some events has them all the same. */
        private void reach(int number) {
            long now = System.nanoTime();
            for (int passed = seen + 1; passed <= number; passed++) {
                Event event = events.computeIfAbsent(passed, of -> new Event());
                event.reached++;
                event.lastAt = now;
            }
        }
    }
}
