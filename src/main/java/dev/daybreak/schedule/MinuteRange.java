package dev.daybreak.schedule;

/** A part of a day in minutes since local midnight, from start to before end; 1440 is the day's end. */
record MinuteRange(int start, int end) {

    int length() {
        return end - start;
    }

    boolean overlaps(MinuteRange other) {
        return start < other.end && other.start < end;
    }

    String startTime() {
        return time(start);
    }

    String endTime() {
        return time(end);
    }

    /** Such as {@code 09:00-12:00}. */
    @Override
    public String toString() {
        return time(start) + "-" + time(end);
    }

    private static String time(int minute) {
        return "%02d:%02d".formatted(minute / 60, minute % 60);
    }
}
