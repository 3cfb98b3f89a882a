package dev.daybreak.room.board;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** A screen in the hall: what it was sent of the board, and what it shows now. */
final class BoardWatcher implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<ServerSentEvent<String>> events = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final Map<Long, List<Map<String, Object>>> rooms = new ConcurrentHashMap<>();
    private final Disposable connection;
    private volatile Object date;

    BoardWatcher(ApplicationContext instance, String query) {
        connection = WebClient.builder()
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(1 << 22))
                .baseUrl("http://127.0.0.1:" + instance.getEnvironment().getRequiredProperty("local.server.port"))
                .build()
                .get()
                .uri("/api/rooms/board" + query)
                .header("Accept", "text/event-stream")
                .retrieve()
                .bodyToFlux(new ParameterizedTypeReference<ServerSentEvent<String>>() {})
                .subscribe(this::take, failure -> faults.add(failure.toString()));
    }

    @SuppressWarnings("unchecked")
    private void take(ServerSentEvent<String> event) {
        events.add(event);
        if (event.data() == null) {
            return;
        }
        Map<String, Object> board = JsonMapper.shared().readValue(event.data(), new TypeReference<>() {});
        if ("snapshot".equals(event.event())) {
            rooms.clear();
            date = board.get("date");
        } else if (!board.get("date").equals(date)) {
            faults.add("rooms of " + board.get("date") + " on the board of " + date);
        }
        ((List<Map<String, Object>>) board.get("rooms"))
                .forEach(room -> rooms.put(
                        ((Number) room.get("id")).longValue(), (List<Map<String, Object>>) room.get("entries")));
    }

    BoardWatcher awaitSnapshot() {
        awaitWithin(PATIENCE, () -> assertThat(named("snapshot")).isNotEmpty());
        return this;
    }

    void awaitWithin(Duration limit, ThrowingRunnable assertion) {
        Awaitility.await().atMost(limit).pollInterval(Duration.ofMillis(10)).untilAsserted(() -> {
            assertThat(faults).isEmpty();
            assertion.run();
        });
    }

    void awaitKinds(long room, Duration limit, String... kinds) {
        awaitWithin(limit, () -> assertThat(entries(room)).extracting("kind").containsExactly((Object[]) kinds));
    }

    List<Map<String, Object>> entries(long room) {
        return rooms.getOrDefault(room, List.of());
    }

    List<ServerSentEvent<String>> named(String event) {
        return events.stream().filter(sent -> event.equals(sent.event())).toList();
    }

    List<ServerSentEvent<String>> events() {
        return List.copyOf(events);
    }

    Object date() {
        return date;
    }

    @Override
    public void close() {
        connection.dispose();
    }
}
