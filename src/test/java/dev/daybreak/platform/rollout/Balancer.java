package dev.daybreak.platform.rollout;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks each instance ten times a second whether it is ready, and leads requests to those that are, in turns. */
final class Balancer implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Instance> instances = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final ScheduledExecutorService checks = Executors.newSingleThreadScheduledExecutor();

    Balancer() {
        checks.scheduleWithFixedDelay(() -> instances.forEach(this::check), 0, 100, TimeUnit.MILLISECONDS);
    }

    private static final class Instance {

        private final ConfigurableApplicationContext context;
        private final URI url;
        private volatile boolean ready;

        private Instance(ConfigurableApplicationContext context) {
            this.context = context;
            this.url =
                    URI.create("http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port"));
        }
    }

    /** @param status 0 if the connection failed, or nobody is ready */
    record Answer(int status, JsonNode body) {

        long id() {
            return body.get("id").asLong();
        }

        String code() {
            return status + " " + body.path("code").asString();
        }
    }

    ConfigurableApplicationContext add(ConfigurableApplicationContext started) {
        var instance = new Instance(started);
        check(instance);
        instances.add(instance);
        return started;
    }

    private void check(Instance instance) {
        boolean ready;
        try {
            ready = http.send(get(instance.url.resolve("/readyz")), BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            ready = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ready = false;
        }
        instance.ready = ready;
    }

    private static HttpRequest get(URI url) {
        return HttpRequest.newBuilder(url).timeout(TIMEOUT).build();
    }

    Answer book(long slot, long patient, String key) throws InterruptedException {
        List<Instance> ready =
                instances.stream().filter(instance -> instance.ready).toList();
        if (ready.isEmpty()) {
            return new Answer(0, JsonMapper.shared().createObjectNode());
        }
        Instance chosen = ready.get(Math.floorMod(turn.getAndIncrement(), ready.size()));
        var request = HttpRequest.newBuilder(chosen.url.resolve("/api/appointments"))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("{\"slotId\":%d,\"patientId\":%d}".formatted(slot, patient)))
                .build();
        try {
            var response = http.send(request, BodyHandlers.ofString());
            return new Answer(response.statusCode(), JsonMapper.shared().readTree(response.body()));
        } catch (IOException e) {
            failed.incrementAndGet();
            return new Answer(0, JsonMapper.shared().createObjectNode());
        }
    }

    int failed() {
        return failed.get();
    }

    @Override
    public void close() {
        checks.shutdownNow();
        instances.forEach(instance -> instance.context.close());
        http.close();
    }
}
