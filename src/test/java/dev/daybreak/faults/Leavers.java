package dev.daybreak.faults;

import dev.daybreak.Clinic;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Clients by the hundred who send a booking and are gone within milliseconds, without waiting for the answer. */
final class Leavers implements AutoCloseable {

    private static final int AT_ONCE = 100;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean storming = true;

    Leavers(List<Instance> instances, List<Long> slots) {
        for (int i = 0; i < AT_ONCE; i++) {
            var random = new Random(i);
            threads.submit(() -> {
                while (storming) {
                    comeAndGo(
                            instances.get(random.nextInt(instances.size())),
                            slots.get(random.nextInt(slots.size())),
                            Duration.ofNanos(random.nextInt(5_000_000)));
                }
            });
        }
    }

    private static void comeAndGo(Instance instance, long slot, Duration stay) {
        String body = "{\"slotId\": %d, \"patientId\": %d}".formatted(slot, Clinic.newPatient());
        String request = """
                POST /api/appointments HTTP/1.1\r
                Host: localhost\r
                Content-Type: application/json\r
                Idempotency-Key: %s\r
                Content-Length: %d\r
                \r
                %s""".formatted(Clinic.newKey(), body.length(), body);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), instance.port())) {
            socket.setSoLinger(true, 0); // a reset, as from a phone that lost its network
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            Stage.pause(stay);
        } catch (IOException gone) {
            Stage.pause(Duration.ofMillis(10));
        }
    }

    @Override
    public void close() {
        storming = false;
        threads.close();
    }
}
