package dev.daybreak.embedded;

import java.io.IOException;
import java.util.stream.Stream;

/** Signals that Java itself cannot send. */
final class Signals {

    private Signals() {}

    static void send(String signal, ProcessHandle process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** To a process and then to those that it has started. */
    static void sendToAll(String signal, ProcessHandle process) throws IOException, InterruptedException {
        for (ProcessHandle each :
                Stream.concat(Stream.of(process), process.descendants()).toList()) {
            send(signal, each);
        }
    }
}
