package dev.daybreak.notification;

import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctor;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.ResourceBundle.Control;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.web.util.HtmlUtils;

/**
 * Says a message in the patient's language, times in the clinic's zone with the zone and its offset named. The texts are
 * {@code notifications/messages_<language>.properties}.
 */
final class Wording {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z]+)}");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm");
    private static final DateTimeFormatter OFFSET = DateTimeFormatter.ofPattern("xxx");

    private final ClinicSettings clinic;
    private final Map<Language, ResourceBundle> bundles = Arrays.stream(Language.values())
            .collect(Collectors.toUnmodifiableMap(
                    language -> language,
                    language -> ResourceBundle.getBundle(
                            "notifications.messages",
                            language.locale(),
                            Control.getNoFallbackControl(Control.FORMAT_PROPERTIES))));

    /** A message in words; a text message is the short one. */
    record Words(String subject, String text, String html, String shortText) {}

    Wording(ClinicSettings clinic) {
        this.clinic = clinic;
    }

    Words of(Notification notification, Doctor doctor, Language language) {
        ResourceBundle bundle = bundle(language);
        var values = new LinkedHashMap<String, String>();
        values.put("doctor", doctor.name());
        values.put("specialty", doctor.specialty());
        values.put("number", Long.toString(notification.appointmentId()));
        values.put("time", period(bundle, language, notification.startAt(), notification.endAt()));
        values.put("start", point(bundle, language, notification.startAt()));
        Kind kind = notification.kind();

        var rows = new LinkedHashMap<String, String>();
        rows.put(bundle.getString("label.time"), fill("{time}", values));
        Instant previous = notification.previousStartAt();
        if (previous != null) {
            rows.put(bundle.getString("label.previous"), point(bundle, language, previous));
        }
        rows.put(bundle.getString("label.doctor"), fill("{doctor} ({specialty})", values));
        rows.put(bundle.getString("label.number"), fill("{number}", values));
        String lead = fill(bundle.getString(kind + ".lead"), values);
        String close = kind == Kind.CANCELLED ? "" : bundle.getString("close");
        return new Words(
                fill(bundle.getString(kind + ".subject"), values),
                text(lead, rows, close),
                html(language, lead, rows, close),
                fill(bundle.getString(kind + ".short"), values));
    }

    private static String text(String lead, Map<String, String> rows, String close) {
        String table = rows.entrySet().stream()
                .map(row -> row.getKey() + ": " + row.getValue())
                .collect(Collectors.joining("\n"));
        return lead + "\n\n" + table + "\n" + (close.isEmpty() ? "" : "\n" + close + "\n");
    }

    private static String html(Language language, String lead, Map<String, String> rows, String close) {
        String table = rows.entrySet().stream()
                .map(row -> "<tr><th align=\"left\">" + escape(row.getKey()) + "</th><td>" + escape(row.getValue())
                        + "</td></tr>")
                .collect(Collectors.joining("\n"));
        return """
                <!DOCTYPE html>
                <html lang="%s">
                <head><meta charset="UTF-8"><title>%s</title></head>
                <body>
                <p>%s</p>
                <table>
                %s
                </table>
                %s</body>
                </html>
                """.formatted(
                        language.code(),
                        escape(lead),
                        escape(lead),
                        table,
                        close.isEmpty() ? "" : "<p>" + escape(close) + "</p>\n");
    }

    private static String escape(String text) {
        return HtmlUtils.htmlEscape(text, "UTF-8");
    }

    private String period(ResourceBundle bundle, Language language, Instant start, Instant end) {
        ZonedDateTime from = start.atZone(clinic.zone());
        ZonedDateTime to = end.atZone(clinic.zone());
        // Across a change of clocks, or a midnight, the bare end would mislead.
        boolean plain =
                from.getOffset().equals(to.getOffset()) && from.toLocalDate().equals(to.toLocalDate());
        return plain
                ? day(bundle, language, from) + "\u2013" + TIME.format(to) + zone(from)
                : point(bundle, language, start) + " \u2013 " + point(bundle, language, end);
    }

    private String point(ResourceBundle bundle, Language language, Instant instant) {
        ZonedDateTime time = instant.atZone(clinic.zone());
        return day(bundle, language, time) + zone(time);
    }

    private static String day(ResourceBundle bundle, Language language, ZonedDateTime time) {
        return DateTimeFormatter.ofPattern(bundle.getString("pattern"), language.locale())
                .format(time);
    }

    private String zone(ZonedDateTime time) {
        return " (" + clinic.zone().getId() + ", UTC" + OFFSET.format(time) + ")";
    }

    /** In one pass, so that a name that looks like a placeholder stays what it is. */
    private static String fill(String pattern, Map<String, String> values) {
        return PLACEHOLDER
                .matcher(pattern)
                .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), found.group())));
    }

    private ResourceBundle bundle(Language language) {
        ResourceBundle bundle = bundles.get(language);
        if (bundle == null) {
            throw new IllegalArgumentException("No messages in " + language);
        }
        return bundle;
    }
}
