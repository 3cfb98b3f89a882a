package dev.daybreak.platform.sql;

import io.r2dbc.spi.Readable;
import java.util.Objects;

/** Reads columns of a row. */
public final class Columns {

    private Columns() {}

    /** The value of a column that is never null. */
    public static <T> T required(Readable row, String column, Class<T> type) {
        return Objects.requireNonNull(row.get(column, type), column);
    }
}
