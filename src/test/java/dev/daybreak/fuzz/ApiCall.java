package dev.daybreak.fuzz;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A call of the API description, as a request that can be spoilt in one place after the other.
 *
 * @param statuses those the description names
 * @param body a valid one, by field, as JSON; null if the call has none
 */
record ApiCall(
        String method, String pattern, List<Parameter> parameters, Map<String, String> body, Set<Integer> statuses) {

    /** @param in path, query or header */
    record Parameter(String in, String name, String example) {}

    static List<ApiCall> all(JsonNode api) {
        var calls = new ArrayList<ApiCall>();
        api.path("paths")
                .forEachEntry((pattern, methods) -> methods.forEachEntry(
                        (method, operation) -> calls.add(of(method.toUpperCase(Locale.ROOT), pattern, operation))));
        return calls;
    }

    private static ApiCall of(String method, String pattern, JsonNode operation) {
        List<Parameter> parameters = operation
                .path("parameters")
                .valueStream()
                .map(parameter -> new Parameter(
                        parameter.path("in").stringValue(),
                        parameter.path("name").stringValue(),
                        parameter.path("example").asString("1")))
                .toList();
        JsonNode example =
                operation.at("/requestBody/content").path("application/json").path("example");
        Map<String, String> body = null;
        if (operation.has("requestBody")) {
            var fields = new LinkedHashMap<String, String>();
            example.forEachEntry((name, value) -> fields.put(name, value.toString()));
            body = fields;
        }
        Set<Integer> statuses = operation.path("responses").propertyNames().stream()
                .map(Integer::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
        return new ApiCall(method, pattern, parameters, body, statuses);
    }

    /** Where a request can be spoilt. */
    enum Place {
        PARAMETER,
        FIELD,
        BODY,
        TYPE,
        EXTRA_HEADER,
        MISSING,
        REPEATED,
        UNKNOWN
    }

    /**
     * One way to spoil a request.
     *
     * @param name the parameter or field, where there is one
     */
    record Spoilt(Place place, String name, String value) {}

    /** Every single way. */
    List<Spoilt> waysToSpoil() {
        var ways = new ArrayList<Spoilt>();
        for (Parameter parameter : parameters) {
            Nuisance.TEXTS.forEach(text -> ways.add(new Spoilt(Place.PARAMETER, parameter.name(), text)));
            ways.add(new Spoilt(Place.MISSING, parameter.name(), ""));
            ways.add(new Spoilt(Place.REPEATED, parameter.name(), ""));
        }
        ways.add(new Spoilt(Place.UNKNOWN, "unheardOf", "1"));
        ways.add(new Spoilt(Place.UNKNOWN, "%zz", "1"));
        Nuisance.EXTRAS.forEach(line -> ways.add(new Spoilt(Place.EXTRA_HEADER, "", line)));
        if (body != null) {
            for (String field : body.keySet()) {
                Nuisance.NODES.forEach(node -> ways.add(new Spoilt(Place.FIELD, field, node)));
                ways.add(new Spoilt(Place.MISSING, field, ""));
                ways.add(new Spoilt(Place.REPEATED, field, ""));
            }
            ways.add(new Spoilt(Place.FIELD, "unheardOf", "1"));
            Nuisance.TYPES.forEach(line -> ways.add(new Spoilt(Place.TYPE, "", line)));
        }
        // Also for calls that read none.
        Nuisance.BODIES.forEach(text -> ways.add(new Spoilt(Place.BODY, "", text)));
        return ways;
    }

    /** Whether the answer may have no end. */
    static boolean isEndless(List<Spoilt> spoilt) {
        return spoilt.stream().anyMatch(one -> one.value().contains("text/event-stream"));
    }

    /** Whether the request may have another path than the call. */
    static boolean isElsewhere(List<Spoilt> spoilt, ApiCall call) {
        return spoilt.stream()
                .anyMatch(one -> one.place() == Place.UNKNOWN && one.name().startsWith("%")
                        || (one.place() == Place.PARAMETER || one.place() == Place.MISSING)
                                && call.parameters.stream()
                                        .anyMatch(parameter -> parameter.in().equals("path")
                                                && parameter.name().equals(one.name())));
    }

    byte[] request(List<Spoilt> spoilt, Nuisance random) {
        String path = pattern;
        var query = new ArrayList<String>();
        var headers = new ArrayList<String>(List.of("Host: localhost", "Connection: close"));
        for (Parameter parameter : parameters) {
            String value = valid(parameter.example(), parameter.name(), random);
            boolean twice = false;
            boolean absent = false;
            for (Spoilt one : spoilt) {
                if (one.name().equals(parameter.name())) {
                    value = one.place() == Place.PARAMETER ? one.value() : value;
                    absent |= one.place() == Place.MISSING;
                    twice |= one.place() == Place.REPEATED;
                }
            }
            for (int i = 0; i < (absent ? 0 : twice ? 2 : 1); i++) {
                switch (parameter.in()) {
                    case "query" -> query.add(parameter.name() + "=" + encoded(value));
                    case "header" -> headers.add(parameter.name() + ": " + oneLine(value));
                    default -> path = path.replace("{" + parameter.name() + "}", encoded(value));
                }
            }
            if (absent) {
                path = path.replace("{" + parameter.name() + "}", "");
            }
        }
        for (Spoilt one : spoilt) {
            if (one.place() == Place.UNKNOWN) {
                query.add(one.name() + "=" + one.value());
            } else if (one.place() == Place.EXTRA_HEADER) {
                headers.removeIf(
                        line -> line.startsWith("Accept:") && one.value().startsWith("Accept:"));
                headers.add(one.value());
            }
        }
        String content = content(spoilt, random);
        if (content != null) {
            headers.add(type(spoilt));
            headers.add("Content-Length: " + bytes(content).length);
        }
        headers.removeIf(String::isEmpty);
        String target = query.isEmpty() ? path : path + "?" + String.join("&", query);
        var request = new ByteArrayOutputStream();
        request.writeBytes((method + " " + target + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        if (content != null) {
            request.writeBytes(bytes(content));
        }
        return request.toByteArray();
    }

    private static String type(List<Spoilt> spoilt) {
        return spoilt.stream()
                .filter(one -> one.place() == Place.TYPE)
                .map(Spoilt::value)
                .findFirst()
                .orElse("Content-Type: application/json");
    }

    /** The body, or null for none. */
    private String content(List<Spoilt> spoilt, Nuisance random) {
        for (Spoilt one : spoilt) {
            if (one.place() == Place.BODY) {
                return one.value();
            }
        }
        if (body == null) {
            return null;
        }
        Map<String, String> fields = new LinkedHashMap<>();
        body.forEach((name, value) -> fields.put(name, valid(value, name, random)));
        var members = new ArrayList<String>();
        for (Spoilt one : spoilt) {
            switch (one.place()) {
                case FIELD -> fields.put(one.name(), one.value());
                case MISSING -> fields.remove(one.name());
                case REPEATED -> members.add("\"" + one.name() + "\": " + fields.getOrDefault(one.name(), "1"));
                default -> {}
            }
        }
        fields.forEach((name, value) -> members.add("\"" + name + "\": " + value));
        return "{" + String.join(", ", members) + "}";
    }

    /** The example with ids that may exist, days that may come and a key of its own. */
    private static String valid(String example, String name, Nuisance random) {
        if (name.equals("Idempotency-Key")) {
            return new UUID(random.number(Integer.MAX_VALUE), random.number(Integer.MAX_VALUE)).toString();
        }
        if (name.equals("id") || name.endsWith("Id")) {
            return Integer.toString(1 + random.number(6));
        }
        LocalDate soon = LocalDate.now(ZoneOffset.UTC).plusDays(random.number(10));
        return example.replaceAll("\\b20\\d\\d-\\d\\d-\\d\\dT[0-9:.]+(Z|\\+\\d\\d:\\d\\d)", instant(soon, random))
                .replaceAll("\\b20\\d\\d-\\d\\d-\\d\\d\\b(?!T)", soon.toString());
    }

    private static String instant(LocalDate day, Nuisance random) {
        Instant start = day.atTime(random.number(24), 15 * random.number(4)).toInstant(ZoneOffset.UTC);
        return start.toString();
    }

    private static String encoded(String value) {
        return value.equals("%")
                ? "%"
                : URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A header ends with its line; what is in it is for the server to judge. */
    private static String oneLine(String value) {
        return value.replaceAll("[\r\n]", "\u0001");
    }

    private static byte[] bytes(String content) {
        return content.startsWith("\u00ff") || content.contains("\u00c3\u0028")
                ? content.getBytes(StandardCharsets.ISO_8859_1)
                : content.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return method + " " + pattern + " " + new TreeMap<>(Map.of("statuses", statuses));
    }
}
