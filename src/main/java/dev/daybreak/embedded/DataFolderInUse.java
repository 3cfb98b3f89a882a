package dev.daybreak.embedded;

import java.nio.file.Path;

/** The data folder belongs to another live instance. */
final class DataFolderInUse extends RuntimeException {

    DataFolderInUse(Path folder, String holder) {
        super("The data folder %s is in use by another running instance (process %s).".formatted(folder, holder));
    }
}
