package dev.daybreak.load;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyObject;

/** One request, and its answer as a script sees it: status 0 when there was none, header names as Go writes them. */
final class K6Request {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final HttpRequest request;

    private K6Request(HttpRequest request) {
        this.request = request;
    }

    static K6Request of(Value call) {
        Value body = call.getMember("body");
        HttpRequest.Builder builder = HttpRequest.newBuilder(
                        URI.create(call.getMember("url").asString()))
                .timeout(TIMEOUT)
                .method(
                        call.getMember("method").asString(),
                        body.isNull() ? BodyPublishers.noBody() : BodyPublishers.ofString(body.asString()));
        strings(call.getMember("headers")).forEach(builder::setHeader);
        return new K6Request(builder.build());
    }

    CompletableFuture<ProxyObject> send(HttpClient client) {
        long start = System.nanoTime();
        return client.sendAsync(request, BodyHandlers.ofString())
                .handle((response, failure) -> response == null
                        ? answer(0, "", Map.of(), String.valueOf(failure), start)
                        : answer(response.statusCode(), response.body(), headers(response), "", start));
    }

    /** The members of a JavaScript object as strings. */
    static Map<String, String> strings(Value object) {
        var strings = new LinkedHashMap<String, String>();
        object.getMemberKeys().forEach(key -> strings.put(key, text(object.getMember(key))));
        return strings;
    }

    private static String text(Value value) {
        return value.isString() ? value.asString() : value.toString();
    }

    private static ProxyObject answer(
            int status, String body, Map<String, Object> headers, String error, long startNanos) {
        return ProxyObject.fromMap(Map.of(
                "status",
                status,
                "body",
                body,
                "headers",
                ProxyObject.fromMap(headers),
                "error",
                error,
                "duration",
                (System.nanoTime() - startNanos) / 1e6));
    }

    private static Map<String, Object> headers(HttpResponse<?> response) {
        return response.headers().map().entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> goName(entry.getKey()), entry -> String.join(", ", entry.getValue())));
    }

    private static String goName(String header) {
        return Stream.of(header.split("-"))
                .map(part -> part.isEmpty()
                        ? part
                        : part.substring(0, 1).toUpperCase() + part.substring(1).toLowerCase())
                .collect(Collectors.joining("-"));
    }
}
