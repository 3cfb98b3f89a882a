package dev.daybreak.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.notification.Wording.Words;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctor;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WordingTests {

    private final Wording wording = new Wording(new ClinicSettings(ZoneId.of("Europe/Berlin"), LocalTime.of(7, 0), 14));

    @ParameterizedTest
    @CsvSource({"2026-10-25T00:30:00Z, UTC+02:00", "2026-10-25T01:30:00Z, UTC+01:00"})
    void tellsTheHourThatComesTwiceApart(Instant start, String offset) {
        assertThat(words(Kind.BOOKED, Language.EN, start, Duration.ofMinutes(15))
                        .text())
                .contains("Sunday 25 October 2026, 02:30\u201302:45 (Europe/Berlin, " + offset + ")");
    }

    @Test
    void namesBothOffsetsWhenTheClocksChangeInBetween() {
        assertThat(words(Kind.BOOKED, Language.EN, Instant.parse("2026-10-25T00:30:00Z"), Duration.ofMinutes(60))
                        .text())
                .contains("02:30 (Europe/Berlin, UTC+02:00) \u2013 ")
                .contains("02:30 (Europe/Berlin, UTC+01:00)");
    }

    @ParameterizedTest
    @EnumSource
    void saysEverythingInEveryLanguageOfEveryKind(Kind kind) {
        for (Language language : Language.values()) {
            Words words = words(kind, language, Instant.parse("2026-10-12T07:00:00Z"), Duration.ofMinutes(15));
            assertThat(words.subject()).contains("09:00").doesNotContain("{");
            assertThat(words.text()).contains("09:00", "Dr. Holm", "5012").doesNotContain("{");
            assertThat(words.html()).contains("09:00", "Dr. Holm", "5012").doesNotContain("{");
            assertThat(words.shortText()).contains("09:00", "Dr. Holm", "5012").doesNotContain("{");
        }
    }

    @Test
    void hasTheSameTextsInEveryLanguage() {
        var english = ResourceBundle.getBundle("notifications.messages", Locale.ENGLISH)
                .keySet();
        for (Language language : Language.values()) {
            assertThat(ResourceBundle.getBundle("notifications.messages", language.locale())
                            .keySet())
                    .isEqualTo(english);
        }
    }

    private Words words(Kind kind, Language language, Instant start, Duration length) {
        var notification = new Notification(
                1,
                new UUID(0, 0),
                Channel.EMAIL,
                kind,
                5012,
                77,
                start,
                start.plus(length),
                null,
                Status.PENDING,
                0,
                null,
                null,
                start,
                null,
                null,
                null);
        return wording.of(notification, new Doctor(12, "Dr. Holm", "General practice", false), language);
    }
}
