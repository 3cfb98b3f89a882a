package dev.daybreak.platform.answer;

import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * An answer that sets its headers straight in the exchange: the builder of {@code ServerResponse} gathers and copies all of it
 * first, which costs a list a third of what its request takes.
 */
public interface DirectAnswer extends ServerResponse {

    /** Sets the headers, those of the body included. */
    void describe(HttpHeaders headers);

    @Override
    default HttpHeaders headers() {
        var headers = new HttpHeaders();
        describe(headers);
        return headers;
    }

    @Override
    default MultiValueMap<String, ResponseCookie> cookies() {
        return new LinkedMultiValueMap<>();
    }
}
