package dev.daybreak.notification;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The languages in which patients are written to. */
enum Language {
    EN(Locale.ENGLISH),
    KO(Locale.KOREAN),
    JA(Locale.JAPANESE);

    static final String CODES = Arrays.stream(values()).map(Language::code).collect(Collectors.joining(", "));

    private final Locale locale;

    Language(Locale locale) {
        this.locale = locale;
    }

    Locale locale() {
        return locale;
    }

    /** As clients and the database write it. */
    String code() {
        return locale.getLanguage();
    }

    static boolean isKnown(String code) {
        return Arrays.stream(values()).anyMatch(language -> language.code().equals(code));
    }

    static Language of(String code) {
        return Arrays.stream(values())
                .filter(language -> language.code().equals(code))
                .findFirst()
                .orElse(EN);
    }
}
