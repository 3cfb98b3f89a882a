package dev.daybreak.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    Path path;

    @Test
    void startsOverWhenTheFirstStartWasInterrupted() throws Exception {
        Files.createFile(path.resolve("postgres.first-start"));
        Path half = Files.createDirectories(path.resolve("postgres/base")).resolve("half");
        Files.createFile(half);

        try (DataFolder folder = DataFolder.open(path);
                EmbeddedDatabase database = EmbeddedDatabase.start(folder, TIMEOUT)) {
            assertThat(half).doesNotExist();
            assertThat(path.resolve("postgres.first-start")).doesNotExist();
            assertThat(database.getConnectionFactoryOptions()).isNotNull();
        }
    }

    @Test
    void aDataFolderHasOneOwnerAtATime() throws Exception {
        try (DataFolder folder = DataFolder.open(path)) {
            assertThat(folder.path()).isEqualTo(path.toRealPath());
            assertThatThrownBy(() -> DataFolder.open(path))
                    .isInstanceOf(DataFolderInUse.class)
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
        }
        DataFolder.open(path).close();
    }

    @Test
    void takesNoOtherProcessForItsServer() throws Exception {
        Files.writeString(path.resolve("server.pid"), ProcessHandle.current().pid() + "\n");

        assertThat(ServerProcess.find(path, "server.pid", "postgres")).isEmpty();
        assertThat(ServerProcess.find(path, "server.pid", "java"))
                .as("the right program, but not on this folder")
                .isEmpty();
        assertThat(ServerProcess.pidWasGivenAway(path, "server.pid", "postgres"))
                .isTrue();
        assertThat(ServerProcess.pidWasGivenAway(path, "server.pid", "java")).isFalse();
    }

    @Test
    void refusesSettingsThatCannotWork() {
        assertThatThrownBy(() -> new EmbeddedSettings(Path.of(""), TIMEOUT)).hasMessageContaining("data-dir");
        assertThatThrownBy(() -> new EmbeddedSettings(path, Duration.ZERO)).hasMessageContaining("start-timeout");
    }
}
