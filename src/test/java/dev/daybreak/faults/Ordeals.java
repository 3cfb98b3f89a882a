package dev.daybreak.faults;

import dev.daybreak.faults.Journal.Word;
import dev.daybreak.faults.Stage.Ordeal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the faults came to, as the table of docs/reliability.md. */
final class Ordeals {

    private static final String BEGIN = "<!-- written by FaultsTest, from here -->\n";
    private static final String END = "<!-- to here -->";

    private final List<Ordeal> all = new ArrayList<>();

    Ordeal add(Ordeal ordeal) {
        all.add(ordeal);
        return ordeal;
    }

    /** Puts the table in place of the one that the page has. */
    void writeInto(Path page) throws IOException {
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        if (begin < BEGIN.length() || end < begin) {
            throw new IllegalStateException("no place for the table in " + page);
        }
        Files.writeString(page, text.substring(0, begin) + "\n" + table() + "\n" + text.substring(end));
    }

    String table() {
        var table = new StringBuilder("""
                | fault | for | 2xx | 4xx | 503 | no answer | longest without a 2xx | all well again after | promises kept | committed unsaid | and after a refusal |
                | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                """);
        for (Ordeal ordeal : all) {
            table.append("| %s | %s | %d | %d | %d | %d | %s | %s | %d of %d | %d | %d |%n"
                    .formatted(
                            ordeal.fault(),
                            seconds(ordeal.lasted()),
                            words(ordeal, Word.YES),
                            words(ordeal, Word.NO),
                            words(ordeal, Word.LATER),
                            words(ordeal, Word.NONE),
                            seconds(ordeal.silence()),
                            seconds(ordeal.recovery()),
                            ordeal.promises(),
                            ordeal.promises(),
                            ordeal.unsaid().found(),
                            ordeal.unsaid().late()));
        }
        return table.toString();
    }

    private static long words(Ordeal ordeal, Word word) {
        return ordeal.words().getOrDefault(word, 0L);
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
    }
}
