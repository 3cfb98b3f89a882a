package dev.daybreak.room.board;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTests {

    @ParameterizedTest
    @CsvSource({"Haruka Mori, H. M.", "김 하루, 김. 하.", "  anna-lena   o'neill , A. O.", "𠮷野, 𠮷."})
    void initialsAreTheFirstLetterOfEachWord(String name, String initials) {
        assertThat(Names.INITIALS.shown(name)).isEqualTo(initials);
    }

    @Test
    void hiddenNamesAreNotShownAtAll() {
        assertThat(Names.HIDDEN.shown("Haruka Mori")).isNull();
        assertThat(Names.FULL.shown("Haruka Mori")).isEqualTo("Haruka Mori");
    }
}
