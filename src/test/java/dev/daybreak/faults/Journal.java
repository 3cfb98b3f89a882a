package dev.daybreak.faults;

import dev.daybreak.Clinic.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Everything that clients asked and were told, kept in the order of the answers. */
final class Journal {

    /** What a client knows after an attempt. */
    enum Word {
        YES,
        NO,
        /** 503: the service cannot say, or could not take the request. */
        LATER,
        /** Connection refused, broken or silent for longer than the client waits. */
        NONE,
        /** What should never be answered: another 5xx. */
        FAILURE
    }

    /**
     * One attempt.
     *
     * @param key of a booking or hold, else null
     * @param status 0 for no answer
     * @param id of the appointment that the answer names, else 0
     */
    record Entry(
            String wish,
            @Nullable String key,
            long patient,
            long slot,
            int instance,
            Instant answered,
            int status,
            String code,
            long id) {

        Word word() {
            if (status == 0) {
                return Word.NONE;
            }
            if (status < 300) {
                return Word.YES;
            }
            if (status < 500) {
                return Word.NO;
            }
            return status == 503 ? Word.LATER : Word.FAILURE;
        }
    }

    private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();

    /** @param answer null for none */
    void add(String wish, @Nullable String key, long patient, long slot, int instance, @Nullable Answer answer) {
        int status = answer == null ? 0 : answer.status().value();
        long id = answer != null && answer.body().get("id") instanceof Number number ? number.longValue() : 0;
        entries.add(new Entry(
                wish, key, patient, slot, instance, Instant.now(), status, answer == null ? "" : answer.code(), id));
    }

    /** The attempts to book or hold under each key, in the order of their answers. */
    Collection<List<Entry>> byKey() {
        return entries.stream()
                .filter(entry -> entry.key() != null)
                .collect(Collectors.groupingBy(Entry::key))
                .values();
    }

    List<Entry> failures() {
        return entries.stream().filter(entry -> entry.word() == Word.FAILURE).toList();
    }

    Map<Word, Long> words(Instant from, Instant to) {
        Map<Word, Long> words = new EnumMap<>(Word.class);
        entries.stream()
                .filter(entry ->
                        !entry.answered().isBefore(from) && entry.answered().isBefore(to))
                .forEach(entry -> words.merge(entry.word(), 1L, Long::sum));
        return words;
    }

    long successes() {
        return entries.stream().filter(entry -> entry.word() == Word.YES).count();
    }

    /** The first 2xx of the instance after that moment. */
    Optional<Instant> success(int instance, Instant after) {
        return entries.stream()
                .filter(entry -> entry.instance() == instance && entry.word() == Word.YES)
                .map(Entry::answered)
                .filter(answered -> answered.isAfter(after))
                .findFirst();
    }

    /** The longest time without a 2xx from any instance. */
    Duration silence(Instant from, Instant to) {
        Instant latest = from;
        Duration longest = Duration.ZERO;
        for (Entry entry : entries) {
            Instant answered = entry.answered();
            if (entry.word() == Word.YES && answered.isAfter(latest) && answered.isBefore(to)) {
                longest = longer(longest, Duration.between(latest, answered));
                latest = answered;
            }
        }
        return longer(longest, Duration.between(latest, to));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
