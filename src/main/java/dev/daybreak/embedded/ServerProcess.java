package dev.daybreak.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server found by the pid file in its folder, so that it can be stopped although another process started it. */
record ServerProcess(ProcessHandle handle) {

    static final boolean WINDOWS =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");

    // The file's time is in whole seconds on some file systems.
    private static final Duration CLOCK_GRAIN = Duration.ofSeconds(2);

    /**
     * Finds the live process of a folder's pid file, if it is the named program working on that folder. A pid may have been
     * given to somebody else since: that process is then another program, or serves another folder, or is younger
     * than the file.
     */
    static Optional<ServerProcess> find(Path folder, String pidFileName, String program) throws IOException {
        Path pidFile = folder.resolve(pidFileName);
        return alive(pidFile)
                .filter(handle -> runs(handle, program) && worksOn(handle, folder) && !isYounger(handle, pidFile))
                .map(ServerProcess::new);
    }

    /** Whether the pid in the file now is that of a process which cannot be the named program's from then. */
    static boolean pidWasGivenAway(Path folder, String pidFileName, String program) throws IOException {
        Path pidFile = folder.resolve(pidFileName);
        return alive(pidFile)
                .filter(handle -> !runs(handle, program) || isYounger(handle, pidFile))
                .isPresent();
    }

    /** Stops the process fast but cleanly, and hard if it is not gone in time. Interruption stops it hard. */
    void stop(Duration patience) {
        if (!gone(Duration.ZERO)) {
            interrupt();
        }
        if (!gone(patience)) {
            handle.destroyForcibly();
            gone(patience);
        }
    }

    /** Waits for the process to end, and tells whether it did. */
    boolean gone(Duration patience) {
        try {
            handle.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return !handle.isAlive();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    // SIGINT: PostgreSQL's fast shutdown. SIGTERM, all that Java can send, would wait for the clients to leave.
    private void interrupt() {
        if (WINDOWS) {
            handle.destroy();
            return;
        }
        try {
            new ProcessBuilder("sh", "-c", "kill -INT " + handle.pid()).start();
        } catch (IOException e) {
            handle.destroy();
        }
    }

    private static Optional<ProcessHandle> alive(Path pidFile) throws IOException {
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        return Files.readAllLines(pidFile).stream()
                .findFirst()
                .map(String::strip)
                .filter(line -> line.matches("[0-9]{1,18}"))
                .flatMap(line -> ProcessHandle.of(Long.parseLong(line)))
                .filter(ProcessHandle::isAlive);
    }

    private static boolean runs(ProcessHandle handle, String program) {
        return handle.info()
                .command()
                .map(command -> new File(command).getName().startsWith(program))
                .orElse(false);
    }

    // Windows does not show the arguments of other processes.
    private static boolean worksOn(ProcessHandle handle, Path folder) {
        return handle.info()
                .arguments()
                .map(arguments -> Arrays.stream(arguments).anyMatch(argument -> within(argument, folder)))
                .orElse(WINDOWS);
    }

    private static boolean within(String argument, Path folder) {
        return argument.equals(folder.toString()) || argument.startsWith(folder + "/");
    }

    private static boolean isYounger(ProcessHandle handle, Path pidFile) {
        Instant written = Instant.ofEpochMilli(pidFile.toFile().lastModified());
        return handle.info()
                .startInstant()
                .map(start -> start.isAfter(written.plus(CLOCK_GRAIN)))
                .orElse(false);
    }
}
