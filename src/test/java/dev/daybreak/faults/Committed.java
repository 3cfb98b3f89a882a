package dev.daybreak.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.faults.Journal.Entry;
import dev.daybreak.faults.Journal.Word;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;

/** The appointments as they were committed, to be compared with what clients were told. */
record Committed(Map<Long, Row> byId, Map<String, Row> byKey) {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String ROWS =
            "SELECT id, idempotency_key, patient_id, slot_id, requested_slot_id, status, revision FROM appointment";

    record Row(long id, String key, long patient, long slot, long requested, String status, int revision) {}

    static Committed read(DatabaseClient database) {
        List<Row> rows = database.sql(ROWS)
                .map(row -> new Row(
                        number(row.get(0, Long.class)),
                        Objects.requireNonNull(row.get(1, String.class)),
                        number(row.get(2, Long.class)),
                        number(row.get(3, Long.class)),
                        number(row.get(4, Long.class)),
                        Objects.requireNonNull(row.get(5, String.class)),
                        Objects.requireNonNull(row.get(6, Integer.class))))
                .all()
                .collectList()
                .block(PATIENCE);
        return new Committed(
                rows.stream().collect(Collectors.toMap(Row::id, Function.identity())),
                rows.stream().collect(Collectors.toMap(Row::key, Function.identity())));
    }

    /**
     * What had been left open and turned out to be committed.
     *
     * @param found by the request that was repeated
     * @param late after the repeated request was refused: what had got no answer was still on its way then
     */
    record Unsaid(long found, long late) {}

    /**
     * What clients were told about each key is what was committed: 2xx made that appointment, 4xx none. Only who had been left without an
     * answer before may find an appointment in spite of a 4xx.
     */
    Unsaid assertAgreesWith(Journal journal) {
        assertThat(journal.failures()).isEmpty();
        long found = 0;
        long late = 0;
        for (List<Entry> attempts : journal.byKey()) {
            Entry last = attempts.getLast();
            Row row = byKey.get(last.key());
            switch (last.word()) {
                case YES -> {
                    assertRow(last, row);
                    found += attempts.size() > 1 && row != null && last.status() == 200 ? 1 : 0;
                }
                case NO -> {
                    assertThat(row == null || attempts.size() > 1)
                            .as("%s, but %s", attempts, row)
                            .isTrue();
                    // A hold that was committed without a word may be over when it is asked for again.
                    late += row != null && !last.code().equals("HOLD_EXPIRED") ? 1 : 0;
                }
                default -> throw new AssertionError("asked for too short a time: " + attempts);
            }
            attempts.stream().filter(attempt -> attempt.word() == Word.YES).forEach(yes -> assertRow(yes, row));
        }
        return new Unsaid(found, late);
    }

    private static void assertRow(Entry told, @Nullable Row row) {
        if (row == null) {
            // A hold that the patient had already comes back under the new key, which then makes nothing.
            assertThat(told.wish().equals("hold") && told.status() == 200)
                    .as("%s, but nothing was committed", told)
                    .isTrue();
            return;
        }
        assertThat(row.id()).as("%s", told).isEqualTo(told.id());
        assertThat(row.patient()).as("%s", told).isEqualTo(told.patient());
        assertThat(row.requested()).as("%s", told).isEqualTo(told.slot());
    }

    private static long number(@Nullable Long value) {
        return Objects.requireNonNull(value);
    }
}
