package dev.daybreak.booking;

import dev.daybreak.schedule.ClinicSettings;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A day on which a flexible doctor has time.
 *
 * @param free starts that can be booked now, each for itself
 * @param opensAt when the first of those that cannot be booked yet can be
 */
record OpeningDayView(LocalDate date, int free, @Nullable Instant opensAt) {

    static final String EXAMPLE = """
            {"date": "2026-10-12", "free": 21}""";

    static List<OpeningDayView> of(List<OpeningView> free, ClinicSettings clinic) {
        return free.stream()
                .collect(Collectors.groupingBy(
                        opening -> clinic.dayOf(opening.startAt()), TreeMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(day -> of(day.getKey(), day.getValue()))
                .toList();
    }

    private static OpeningDayView of(LocalDate date, List<OpeningView> free) {
        List<Instant> later = free.stream()
                .map(OpeningView::opensAt)
                .filter(Objects::nonNull)
                .sorted()
                .toList();
        return new OpeningDayView(date, free.size() - later.size(), later.isEmpty() ? null : later.getFirst());
    }
}
