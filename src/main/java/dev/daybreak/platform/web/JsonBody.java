package dev.daybreak.platform.web;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads the body of a request as one JSON object; of two fields with one name, neither can be trusted. */
final class JsonBody {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final MediaType ANY_JSON = new MediaType("application", "*+json");
    private static final String FIELD = "body";
    private static final String KEPT = JsonBody.class.getName();

    private JsonBody() {}

    /** Emits the object or a {@link Refusal}; never empty. */
    static Mono<ObjectNode> read(ServerRequest request) {
        if (request.attributes().get(KEPT) instanceof ObjectNode kept) {
            return Mono.just(kept);
        }
        HttpHeaders headers = request.headers().asHttpHeaders();
        if (!isJson(headers.getFirst(HttpHeaders.CONTENT_TYPE)) && hasBody(headers)) {
            return Mono.error(new Refusal(ProblemCode.UNSUPPORTED_MEDIA_TYPE));
        }
        return request.bodyToMono(byte[].class)
                .map(JsonBody::parse)
                .switchIfEmpty(Mono.error(() -> refusal("required")));
    }

    /** Lets whoever reads the body from now on find this. */
    static void keep(ServerRequest request, ObjectNode body) {
        request.attributes().put(KEPT, body);
    }

    private static ObjectNode parse(byte[] body) {
        if (body.length == 0) {
            throw refusal("required");
        }
        JsonNode tree;
        try {
            tree = JSON.readTree(body);
        } catch (JacksonException e) {
            throw refusal("json");
        }
        if (tree instanceof ObjectNode object) {
            return object;
        }
        throw refusal(tree.isMissingNode() ? "required" : "type.object");
    }

    private static boolean isJson(@Nullable String contentType) {
        if (MediaType.APPLICATION_JSON_VALUE.equals(contentType)) {
            return true;
        }
        if (contentType == null) {
            return false;
        }
        try {
            var type = MediaType.parseMediaType(contentType);
            return MediaType.APPLICATION_JSON.includes(type) || ANY_JSON.includes(type);
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    /** Without a body there is nothing of a wrong type: what is wrong is that it is missing. */
    private static boolean hasBody(HttpHeaders headers) {
        return headers.getContentLength() > 0 || headers.containsHeader(HttpHeaders.TRANSFER_ENCODING);
    }

    private static Refusal refusal(String rule) {
        return new Refusal(Problem.invalid(FIELD, rule));
    }
}
