package dev.daybreak.platform.web;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * What a client accepts. Refuses requests whose Accept header rules out everything the route can say; functional endpoints write what they
 * are told to without looking. A client that accepts only problems may ask as well: it gets the answer it did not list.
 */
public final class Acceptance {

    private Acceptance() {}

    static HandlerFunction<ServerResponse> required(List<MediaType> produced, HandlerFunction<ServerResponse> handler) {
        if (produced.isEmpty()) {
            return handler;
        }
        List<MediaType> possible = Stream.concat(produced.stream(), Stream.of(MediaType.APPLICATION_PROBLEM_JSON))
                .toList();
        return request -> isMet(request, possible)
                ? handler.handle(request)
                : Mono.error(new Refusal(ProblemCode.NOT_ACCEPTABLE));
    }

    /** What the client likes best of what is offered; the first of it if it says nothing. */
    public static MediaType preferred(List<MediaType> accepted, List<MediaType> offered) {
        return accepted.stream()
                .filter(type -> type.getQualityValue() > 0)
                .sorted(Comparator.comparingDouble(MediaType::getQualityValue).reversed())
                .flatMap(type -> offered.stream().filter(type::isCompatibleWith).limit(1))
                .findFirst()
                .orElse(offered.getFirst());
    }

    private static boolean isMet(ServerRequest request, List<MediaType> possible) {
        List<String> accept = request.headers().header("Accept");
        if (accept.isEmpty() || (accept.size() == 1 && accept.getFirst().equals(MediaType.ALL_VALUE))) {
            return true;
        }
        try {
            return MediaType.parseMediaTypes(accept).stream()
                    .filter(type -> type.getQualityValue() > 0)
                    .anyMatch(type -> possible.stream().anyMatch(type::isCompatibleWith));
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }
}
