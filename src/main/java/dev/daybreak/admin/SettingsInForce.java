package dev.daybreak.admin;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** The settings the service runs with, by property, defaults included. Of a secret it says only whether it is set. */
final class SettingsInForce {

    static final String EXAMPLE = """
            {"daybreak.booking.hold": "5m", "daybreak.booking.max-active": 0, "daybreak.clinic.zone": "Europe/Berlin"}""";

    private static final String OURS = "daybreak";
    private static final String SET = "(set)";
    private static final Pattern SECRET =
            Pattern.compile("(?i).*(password|secret|token|credential|private|-key|url).*");

    private static final Map<String, Long> UNITS = new LinkedHashMap<>();

    static {
        UNITS.put("d", Duration.ofDays(1).toMillis());
        UNITS.put("h", Duration.ofHours(1).toMillis());
        UNITS.put("m", Duration.ofMinutes(1).toMillis());
        UNITS.put("s", Duration.ofSeconds(1).toMillis());
    }

    private final ListableBeanFactory beans;

    SettingsInForce(ListableBeanFactory beans) {
        this.beans = beans;
    }

    Map<String, Object> all() {
        var all = new TreeMap<String, Object>();
        beans.getBeansWithAnnotation(ConfigurationProperties.class).values().forEach(settings -> {
            var annotated = settings.getClass().getAnnotation(ConfigurationProperties.class);
            String prefix = annotated == null ? "" : annotated.value() + annotated.prefix();
            if (prefix.startsWith(OURS) && settings instanceof Record values) {
                add(all, prefix, values);
            }
        });
        return all;
    }

    private static void add(Map<String, Object> all, String prefix, Record settings) {
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Object value = value(settings, component);
            String name = prefix + "." + kebab(component.getName());
            if (value instanceof Record nested) {
                add(all, name, nested);
            } else if (value != null) {
                all.put(name, SECRET.matcher(name).matches() ? SET : shown(value));
            }
        }
    }

    private static @Nullable Object value(Record settings, RecordComponent component) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(settings);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(component.toString(), e);
        }
    }

    private static Object shown(Object value) {
        return switch (value) {
            case Duration duration -> written(duration);
            case Number number -> number;
            case Boolean flag -> flag;
            case Collection<?> many -> many.stream().map(String::valueOf).toList();
            default -> value.toString();
        };
    }

    /** As it is written in a configuration, in the largest unit that makes it a whole number. */
    private static String written(Duration duration) {
        long millis = duration.toMillis();
        for (var unit : UNITS.entrySet()) {
            if (millis >= unit.getValue() && millis % unit.getValue() == 0) {
                return millis / unit.getValue() + unit.getKey();
            }
        }
        return millis + "ms";
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
