package dev.daybreak.pages;

import dev.daybreak.pages.WebFiles.WebFile;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.HtmlUtils;
import reactor.core.publisher.Mono;

/**
 * Serves the pages, and the files they are made of below {@code /assets/<version>/}, where they may be kept for ever: with another
 * version they have another address. A page itself is asked for each time, mostly to hear that it has not changed.
 */
final class Pages {

    private static final List<Locale> LANGUAGES = List.of(Locale.ENGLISH, Locale.KOREAN, Locale.JAPANESE);
    private static final CacheControl FOR_EVER =
            CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

    private final WebFiles files;
    private final Map<String, String> values;
    private RouterFunctions.Builder routes = RouterFunctions.route();

    /** @param values what is filled in for {@code {{name}}} in a page */
    Pages(WebFiles files, Map<String, String> values) {
        this.files = files;
        this.values = values;
    }

    /** Adds a page. In its file {@code {{version}}}, {@code {{lang}}} and the values are filled in. */
    Pages page(String path, String file) {
        WebFile source = Objects.requireNonNull(files.find(file), file);
        Map<Locale, WebFile> byLanguage = new HashMap<>();
        LANGUAGES.forEach(language -> byLanguage.put(language, filled(source, language)));
        routes = get(path, request -> {
            Locale language = language(request.headers().firstHeader(HttpHeaders.ACCEPT_LANGUAGE));
            return answer(request, Objects.requireNonNull(byLanguage.get(language)), CacheControl.noCache(), language);
        });
        return this;
    }

    RouterFunction<ServerResponse> routes() {
        routes = get("/assets/{version}/{*file}", request -> {
            WebFile file = files.find(request.pathVariable("file").substring(1));
            if (file == null) {
                return Mono.error(new Refusal(ProblemCode.NOT_FOUND));
            }
            // While releases change, a page of one may ask for the files of another.
            boolean ours = request.pathVariable("version").equals(files.version());
            return answer(request, file, ours ? FOR_EVER : CacheControl.noStore(), null);
        });
        return get(
                        "/favicon.ico",
                        request -> ServerResponse.permanentRedirect(
                                        URI.create("/assets/" + files.version() + "/icon.svg"))
                                .build())
                .build();
    }

    private RouterFunctions.Builder get(String pattern, HandlerFunction<ServerResponse> handler) {
        return routes.route(
                RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD).and(RequestPredicates.path(pattern)),
                handler);
    }

    private WebFile filled(WebFile source, Locale language) {
        String html = new String(source.bytes(), StandardCharsets.UTF_8)
                .replace("{{version}}", files.version())
                .replace("{{lang}}", language.getLanguage());
        for (Map.Entry<String, String> value : values.entrySet()) {
            html = html.replace("{{" + value.getKey() + "}}", HtmlUtils.htmlEscape(value.getValue()));
        }
        return WebFile.of(source.type(), html.getBytes(StandardCharsets.UTF_8));
    }

    private static Mono<ServerResponse> answer(
            ServerRequest request, WebFile file, CacheControl caching, @Nullable Locale language) {
        boolean known = request.headers().header(HttpHeaders.IF_NONE_MATCH).contains(file.etag());
        boolean gzip = acceptsGzip(request);
        ServerResponse.BodyBuilder response = (known ? ServerResponse.status(304) : ServerResponse.ok())
                .cacheControl(caching)
                .eTag(file.etag());
        if (language == null) {
            response = response.varyBy(HttpHeaders.ACCEPT_ENCODING);
        } else {
            response = response.varyBy(HttpHeaders.ACCEPT_ENCODING, HttpHeaders.ACCEPT_LANGUAGE)
                    .header(HttpHeaders.CONTENT_LANGUAGE, language.getLanguage());
        }
        if (known) {
            return response.build();
        }
        if (gzip) {
            response = response.header(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        return response.contentType(file.type()).bodyValue(gzip ? file.gzipped() : file.bytes());
    }

    private static boolean acceptsGzip(ServerRequest request) {
        return request.headers().header(HttpHeaders.ACCEPT_ENCODING).stream()
                .flatMap(header -> List.of(header.split(",", -1)).stream())
                .map(String::strip)
                .anyMatch(coding -> coding.equals("gzip") || coding.startsWith("gzip;") && !coding.endsWith("q=0"));
    }

    private static Locale language(@Nullable String accepted) {
        if (accepted == null || accepted.isBlank()) {
            return Locale.ENGLISH;
        }
        try {
            Locale found = Locale.lookup(Locale.LanguageRange.parse(accepted), LANGUAGES);
            return found == null ? Locale.ENGLISH : found;
        } catch (IllegalArgumentException e) {
            return Locale.ENGLISH;
        }
    }
}
