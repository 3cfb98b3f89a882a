package dev.daybreak.room.board;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How much of a name strangers may see. */
enum Names {
    HIDDEN,
    INITIALS,
    FULL;

    /** What is shown of the name; null for nothing. */
    @Nullable
    String shown(String name) {
        return switch (this) {
            case HIDDEN -> null;
            case INITIALS ->
                Arrays.stream(name.strip().split("\\s+"))
                        .filter(word -> !word.isEmpty())
                        .map(word -> Character.toString(Character.toUpperCase(word.codePointAt(0))) + ".")
                        .collect(Collectors.joining(" "));
            case FULL -> name;
        };
    }
}
