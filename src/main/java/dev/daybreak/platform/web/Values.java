package dev.daybreak.platform.web;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Turns one field into a value, or throws {@link Malformed}.
 *
 * @param textual whether the fields come from a URL or from headers, where numbers are written as text. In JSON they
 *     are not: "1", 1.0 and 1e0 are no integers.
 */
record Values(boolean textual) {

    private static final Pattern DIGITS = Pattern.compile("-?[0-9]{1,19}");
    private static final Pattern TIME = Pattern.compile("([01][0-9]|2[0-3]):([0-5][0-9])");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final int END_OF_DAY = 24 * 60;
    private static final int LAST_YEAR = 9998;

    long whole(JsonNode node) {
        if (textual && DIGITS.matcher(node.stringValue()).matches()) {
            try {
                return Long.parseLong(node.stringValue());
            } catch (NumberFormatException e) {
                throw new Malformed("type.integer");
            }
        }
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return node.longValue();
        }
        throw new Malformed("type.integer");
    }

    long id(JsonNode node) {
        long id = whole(node);
        if (id < 1) {
            throw new Malformed("positive");
        }
        return id;
    }

    int integer(JsonNode node, int min, int max) {
        // A number beyond long is as far out of range as any other; the client learns more from the range.
        if (node.isIntegralNumber() && !node.canConvertToLong()) {
            throw new Malformed("range", min, max);
        }
        long value = whole(node);
        if (value < min || value > max) {
            throw new Malformed("range", min, max);
        }
        return (int) value;
    }

    String string(JsonNode node) {
        if (!node.isString()) {
            throw new Malformed("type.text");
        }
        return node.stringValue();
    }

    String text(JsonNode node, int maxLength) {
        String text = string(node).strip();
        if (text.isEmpty()) {
            throw new Malformed("required");
        }
        if (text.codePointCount(0, text.length()) > maxLength) {
            throw new Malformed("too-long", maxLength);
        }
        // PostgreSQL stores neither NUL nor half a surrogate pair.
        if (text.codePoints().anyMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE)) {
            throw new Malformed("characters");
        }
        return text;
    }

    LocalDate date(JsonNode node) {
        String text = string(node);
        if (!DATE.matcher(text).matches()) {
            throw new Malformed("date");
        }
        try {
            var date = LocalDate.parse(text);
            // Its first and last moment, in whatever zone, must have a year of four digits.
            if (date.getYear() < 2 || date.getYear() > LAST_YEAR) {
                throw new Malformed("date");
            }
            return date;
        } catch (DateTimeException e) {
            throw new Malformed("date");
        }
    }

    int minuteOfDay(JsonNode node) {
        String text = string(node);
        var time = TIME.matcher(text);
        if (time.matches()) {
            return Integer.parseInt(time.group(1)) * 60 + Integer.parseInt(time.group(2));
        }
        if (text.equals("24:00")) {
            return END_OF_DAY;
        }
        throw new Malformed("time");
    }

    Instant instant(JsonNode node) {
        // In a query string an unescaped plus arrives as a space; no instant has one of its own.
        String text = textual ? string(node).replace(' ', '+') : string(node);
        try {
            var time = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
            if (time.getYear() < 1 || time.getYear() > LAST_YEAR) {
                throw new Malformed("instant");
            }
            return time.toInstant();
        } catch (DateTimeException e) {
            throw new Malformed(isLocal(text) ? "offset-required" : "instant");
        }
    }

    Temporal dayOrInstant(JsonNode node) {
        return DATE.matcher(string(node)).matches() ? date(node) : instant(node);
    }

    private static boolean isLocal(String text) {
        try {
            return LocalDateTime.parse(text).getYear() > 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    ZoneId zone(JsonNode node) {
        try {
            return ZoneId.of(string(node));
        } catch (DateTimeException e) {
            throw new Malformed("zone");
        }
    }

    <E extends Enum<E>> E choice(JsonNode node, Class<E> type) {
        String name = string(node);
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new Malformed("choice", names(type)));
    }

    private static String names(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "));
    }

    Set<DayOfWeek> weekdays(JsonNode node) {
        if (!node.isArray() || node.isEmpty()) {
            throw new Malformed("weekdays");
        }
        var days = EnumSet.noneOf(DayOfWeek.class);
        for (JsonNode day : node) {
            try {
                days.add(choice(day, DayOfWeek.class));
            } catch (Malformed e) {
                throw new Malformed("weekdays");
            }
        }
        return days;
    }

    boolean flag(JsonNode node) {
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (textual && (node.stringValue().equals("true") || node.stringValue().equals("false"))) {
            return node.stringValue().equals("true");
        }
        throw new Malformed("type.boolean");
    }
}
