package dev.daybreak.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The part of the service's API that the k6 scripts use, kept in memory, on loopback; one request at a time. */
final class PaperClinic implements AutoCloseable {

    /** What is wrong with it. */
    enum Fault {
        NONE,
        /** Sells one seat more than each slot has, and its own invariants do not notice. */
        OVERSELLS,
        /** Makes a second appointment for a retried key. */
        FORGETS_KEYS,
        /** Acknowledges every fifth booking and forgets it. */
        LOSES_BOOKINGS,
        /** Answers every third booking with 503. */
        SHEDS,
        /** Finds an invariant broken, and says so. */
        ADMITS_A_VIOLATION
    }

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern ID = Pattern.compile("/(\\d+)");

    private final Fault fault;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final HttpServer server;
    private final Map<Long, Slot> slots = new TreeMap<>();
    private final Map<Long, Appointment> appointments = new TreeMap<>();
    private final Map<String, Appointment> byKey = new HashMap<>();
    private long lastId = 1000;
    private long bookings;

    private record Slot(long id, long doctorId, LocalDate date, String startAt, int capacity) {}

    private static final class Appointment {
        final long id;
        final long slotId;
        final long patientId;
        boolean active = true;

        Appointment(long id, long slotId, long patientId) {
            this.id = id;
            this.slotId = slotId;
            this.patientId = patientId;
        }
    }

    private record Answer(int status, Object body, Map<String, String> headers) {
        static Answer of(int status, Object body) {
            return new Answer(status, body, Map.of());
        }

        static Answer refusal(int status, String code) {
            return of(status, Map.of("status", status, "code", code));
        }
    }

    PaperClinic(Fault fault) {
        this.fault = fault;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://" + server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort();
    }

    synchronized long activeAppointments() {
        return appointments.values().stream()
                .filter(appointment -> appointment.active)
                .count();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        JsonNode body = JSON.readTree(exchange.getRequestBody());
        Answer answer;
        synchronized (this) {
            answer = answer(exchange, body);
        }
        byte[] bytes = answer.body() == null ? new byte[0] : JSON.writeValueAsBytes(answer.body());
        String etag = "\"" + Integer.toHexString(new String(bytes, StandardCharsets.UTF_8).hashCode()) + "\"";
        boolean unchanged = etag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("ETag", etag);
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        boolean empty = unchanged || bytes.length == 0;
        exchange.sendResponseHeaders(unchanged ? 304 : answer.status(), empty ? -1 : bytes.length);
        if (!empty) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    private Answer answer(HttpExchange exchange, JsonNode body) {
        String path = exchange.getRequestURI().getPath();
        Matcher id = ID.matcher(path);
        long number = id.find() ? Long.parseLong(id.group(1)) : 0;
        return switch (exchange.getRequestMethod() + " " + id.replaceFirst("/{id}")) {
            case "POST /api/admin/doctors" -> Answer.of(201, Map.of("id", ++lastId));
            case "POST /api/admin/doctors/{id}/schedules" -> publish(number, body);
            case "GET /api/doctors/{id}/slots" ->
                list(number, exchange.getRequestURI().getQuery());
            case "POST /api/appointments" -> book(exchange.getRequestHeaders().getFirst("Idempotency-Key"), body);
            case "DELETE /api/appointments/{id}" -> cancel(number);
            case "GET /api/admin/invariants" -> invariants();
            default -> Answer.refusal(404, "NOT_FOUND");
        };
    }

    private Answer publish(long doctorId, JsonNode schedule) {
        LocalDate date = LocalDate.parse(schedule.path("fromDate").asString());
        LocalTime start = LocalTime.parse(schedule.path("startTime").asString());
        LocalTime end = LocalTime.parse(schedule.path("endTime").asString());
        int minutes = schedule.path("slotMinutes").asInt();
        int created = 0;
        for (LocalTime at = start; at.isBefore(end); at = at.plusMinutes(minutes)) {
            String startAt = date.atTime(at).toInstant(ZoneOffset.UTC).toString();
            slots.put(
                    ++lastId,
                    new Slot(
                            lastId,
                            doctorId,
                            date,
                            startAt,
                            schedule.path("capacity").asInt()));
            created++;
        }
        return Answer.of(201, Map.of("created", created, "existing", 0, "skipped", 0));
    }

    private Answer list(long doctorId, String query) {
        LocalDate date = LocalDate.parse(query.replaceFirst(".*date=([\\d-]+).*", "$1"));
        boolean all = query.contains("include=all");
        List<Map<String, Object>> shown = slots.values().stream()
                .filter(slot -> slot.doctorId() == doctorId && slot.date().equals(date))
                .filter(slot -> all || remaining(slot) > 0)
                .map(this::view)
                .toList();
        return Answer.of(200, shown);
    }

    private Map<String, Object> view(Slot slot) {
        var view = new LinkedHashMap<String, Object>();
        view.put("id", slot.id());
        view.put("doctorId", slot.doctorId());
        view.put("startAt", slot.startAt());
        view.put("capacity", slot.capacity());
        view.put("remaining", Math.max(0, remaining(slot)));
        view.put("state", remaining(slot) > 0 ? "OPEN" : "FULL");
        return view;
    }

    private long remaining(Slot slot) {
        return slot.capacity()
                - appointments.values().stream()
                        .filter(appointment -> appointment.active && appointment.slotId == slot.id())
                        .count();
    }

    private Answer book(String key, JsonNode body) {
        if (key == null) {
            return Answer.refusal(400, "IDEMPOTENCY_KEY_REQUIRED");
        }
        bookings++;
        if (fault == Fault.SHEDS && bookings % 3 == 0) {
            return new Answer(503, Map.of("code", "BUSY"), Map.of("Retry-After", "0"));
        }
        long slotId = body.path("slotId").asLong();
        long patientId = body.path("patientId").asLong();
        Appointment before = byKey.get(key);
        if (before != null && fault != Fault.FORGETS_KEYS) {
            boolean same = before.slotId == slotId && before.patientId == patientId;
            return same ? Answer.of(200, view(before)) : Answer.refusal(422, "IDEMPOTENCY_KEY_REUSED");
        }
        Slot slot = slots.get(slotId);
        if (slot == null) {
            return Answer.refusal(404, "SLOT_NOT_FOUND");
        }
        if (remaining(slot) + (fault == Fault.OVERSELLS ? 1 : 0) <= 0) {
            return Answer.of(409, Map.of("status", 409, "code", "SLOT_FULL", "remaining", 0));
        }
        var appointment = new Appointment(++lastId, slotId, patientId);
        byKey.put(key, appointment);
        appointment.active = !(fault == Fault.LOSES_BOOKINGS && bookings % 5 == 0);
        appointments.put(appointment.id, appointment);
        return new Answer(201, view(appointment), Map.of("Location", "/api/appointments/" + appointment.id));
    }

    private static Map<String, Object> view(Appointment appointment) {
        return Map.of("id", appointment.id, "slotId", appointment.slotId, "patientId", appointment.patientId);
    }

    private Answer cancel(long id) {
        Appointment appointment = appointments.get(id);
        if (appointment == null) {
            return Answer.refusal(404, "APPOINTMENT_NOT_FOUND");
        }
        appointment.active = false;
        return Answer.of(204, null);
    }

    private Answer invariants() {
        int count = fault == Fault.ADMITS_A_VIOLATION ? 2 : 0;
        return Answer.of(
                200, Map.of("ok", count == 0, "violations", List.of(Map.of("invariant", "I1", "count", count))));
    }
}
