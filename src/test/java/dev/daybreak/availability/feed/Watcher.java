package dev.daybreak.availability.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** A patient's browser on the live feed of a day: what it was sent, and what it believes now. */
final class Watcher implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<ServerSentEvent<String>> events = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final Map<Long, Map<String, Object>> slots = new ConcurrentHashMap<>();
    private final Disposable connection;
    private volatile boolean ended;

    private Watcher(ApplicationContext instance, String path, String lastEventId) {
        connection = WebClient.create(
                        "http://127.0.0.1:" + instance.getEnvironment().getRequiredProperty("local.server.port"))
                .get()
                .uri(path)
                .header("Accept", "text/event-stream")
                .headers(headers -> {
                    if (lastEventId != null) {
                        headers.set("Last-Event-ID", lastEventId);
                    }
                })
                .retrieve()
                .bodyToFlux(new ParameterizedTypeReference<ServerSentEvent<String>>() {})
                .doOnTerminate(() -> ended = true)
                .subscribe(this::take, failure -> faults.add(failure.toString()));
    }

    static Watcher of(ApplicationContext instance, String path) {
        return new Watcher(instance, path, null);
    }

    static Watcher of(ApplicationContext instance, String path, String lastEventId) {
        return new Watcher(instance, path, lastEventId);
    }

    private void take(ServerSentEvent<String> event) {
        events.add(event);
        if (event.data() == null) {
            return;
        }
        List<Map<String, Object>> sent = JsonMapper.shared().readValue(event.data(), new TypeReference<>() {});
        for (Map<String, Object> slot : sent) {
            Map<String, Object> before = slots.put(id(slot), slot);
            if (before != null && version(before) > version(slot)) {
                faults.add("went back from " + before + " to " + slot);
            }
        }
    }

    Watcher awaitSnapshot() {
        await(() -> assertThat(named("snapshot")).isNotEmpty());
        return this;
    }

    void await(org.awaitility.core.ThrowingRunnable assertion) {
        awaitWithin(PATIENCE, assertion);
    }

    void awaitWithin(Duration limit, org.awaitility.core.ThrowingRunnable assertion) {
        Awaitility.await().atMost(limit).pollInterval(Duration.ofMillis(10)).untilAsserted(() -> {
            assertThat(faults).isEmpty();
            assertion.run();
        });
    }

    void awaitRemaining(long slot, int remaining, Duration limit) {
        awaitWithin(limit, () -> assertThat(remaining(slot)).isEqualTo(remaining));
    }

    List<ServerSentEvent<String>> events() {
        return List.copyOf(events);
    }

    List<ServerSentEvent<String>> named(String event) {
        return events.stream().filter(sent -> event.equals(sent.event())).toList();
    }

    Map<Long, Map<String, Object>> slots() {
        return new HashMap<>(slots);
    }

    Integer remaining(long slot) {
        return slots.containsKey(slot) ? (Integer) slots.get(slot).get("remaining") : null;
    }

    Object state(long slot) {
        return slots.getOrDefault(slot, Map.of()).get("state");
    }

    long version(long slot) {
        return version(slots.get(slot));
    }

    List<String> faults() {
        return List.copyOf(faults);
    }

    boolean hasEnded() {
        return ended;
    }

    @Override
    public void close() {
        connection.dispose();
    }

    private static long id(Map<String, Object> slot) {
        return ((Number) slot.get("id")).longValue();
    }

    private static long version(Map<String, Object> slot) {
        return ((Number) slot.get("version")).longValue();
    }
}
