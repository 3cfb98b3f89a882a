package dev.daybreak.bench;

import dev.daybreak.bench.Comparison.Measured;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The ratios as horizontal bars, two for each guard, in an SVG of its own. */
record GuardChart(List<Measured> rows, Measured reference) {

    private static final int LABELS = 260;
    private static final int BARS = 480;
    private static final int WIDTH = LABELS + BARS + 80;
    private static final int TOP = 76;
    private static final int ROW = 58;
    private static final String ONE_SLOT = "#c2410c";
    private static final String MANY_SLOTS = "#1d6fa5";
    private static final String INK = "#1f2933";
    private static final String FAINT = "#5f6b76";

    String svg() {
        int height = TOP + rows.size() * ROW + 16;
        return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" font-family="sans-serif" font-size="13" role="img">
                <title>Accepted bookings a second by the way to guard a seat, relative to the conditional update</title>
                <rect width="%1$d" height="%2$d" fill="#ffffff"/>
                <text x="16" y="26" font-size="16" font-weight="bold" fill="%3$s">Accepted bookings a second, conditional update = 1</text>
                <rect x="16" y="42" width="12" height="12" fill="%4$s"/><text x="34" y="53" fill="%3$s">one slot</text>
                <rect x="116" y="42" width="12" height="12" fill="%5$s"/><text x="134" y="53" fill="%3$s">%6$,d slots</text>
                %7$s
                </svg>
                """.formatted(
                        WIDTH,
                        height,
                        INK,
                        ONE_SLOT,
                        MANY_SLOTS,
                        Comparison.MANY_SLOTS,
                        IntStream.range(0, rows.size())
                                .mapToObj(i -> row(rows.get(i), TOP + i * ROW))
                                .collect(Collectors.joining("\n")));
    }

    private String row(Measured measured, int y) {
        String oversold = measured.oversold() == 0
                ? ""
                : text(16, y + 38, "#b91c1c", "oversold " + measured.oversold() + " seats");
        return text(16, y + 20, INK, measured.guard())
                + oversold
                + bar(y + 4, measured.oneSlot() / reference.oneSlot(), ONE_SLOT)
                + bar(y + 26, measured.manySlots() / reference.manySlots(), MANY_SLOTS);
    }

    private String bar(int y, double ratio, String colour) {
        double length = Math.max(1, ratio / longest() * BARS);
        return String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"%s\"/>",
                        LABELS,
                        y,
                        length,
                        colour)
                + text((int) (LABELS + length + 6), y + 14, FAINT, String.format(Locale.ROOT, "%.2f", ratio));
    }

    private double longest() {
        return rows.stream()
                .mapToDouble(
                        row -> Math.max(row.oneSlot() / reference.oneSlot(), row.manySlots() / reference.manySlots()))
                .max()
                .orElse(1);
    }

    private static String text(int x, int y, String colour, String text) {
        return "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>".formatted(x, y, colour, text);
    }
}
