package dev.daybreak.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.DaybreakTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** How the pages are served, without a browser. */
@DaybreakTest
class PagesTest {

    private static final Pattern ADDRESS = Pattern.compile("/assets/[^\"]+");
    private static final int MOST_BYTES = 40 * 1024;

    @LocalServerPort
    int port;

    private final HttpClient http = HttpClient.newHttpClient();

    private HttpResponse<byte[]> send(String method, String path, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private Set<String> addresses() throws Exception {
        return ADDRESS.matcher(text(send("GET", "/")))
                .results()
                .map(found -> found.group())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/print"})
    void servesAPage(String path) throws Exception {
        HttpResponse<byte[]> page = send("GET", path);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(header(page, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
        assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
        assertThat(header(page, "Content-Security-Policy"))
                .startsWith("default-src 'self'")
                .doesNotContain("unsafe");
        assertThat(text(page)).doesNotContain("{{").contains("lang=\"en\"");
        assertThat(send("HEAD", path).body()).isEmpty();
        assertThat(send("GET", path, "If-None-Match", header(page, "ETag")).statusCode())
                .isEqualTo(304);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ko-KR,ko;q=0.9,en;q=0.5 | ko",
                "ja | ja",
                "fr-FR,ja;q=0.5 | ja",
                "fr | en",
                "; nonsense | en",
                "en-GB | en"
            })
    void speaksTheLanguageThatIsAccepted(String accepted, String language) throws Exception {
        HttpResponse<byte[]> page = send("GET", "/", "Accept-Language", accepted);

        assertThat(text(page)).contains("<html lang=\"" + language + "\">", "texts." + language + ".js");
        assertThat(header(page, "Content-Language")).isEqualTo(language);
        assertThat(header(page, "Vary")).contains("Accept-Language");
    }

    @Test
    void letsFilesBeKeptForEverUnderTheirVersion() throws Exception {
        for (String address : addresses()) {
            HttpResponse<byte[]> file = send("GET", address);

            assertThat(file.statusCode()).as(address).isEqualTo(200);
            assertThat(header(file, "Cache-Control")).contains("max-age=31536000", "immutable");
            HttpResponse<byte[]> other = send("GET", address.replaceFirst("/assets/[^/]+", "/assets/other"));
            assertThat(header(other, "Cache-Control")).isEqualTo("no-store");
            assertThat(other.body()).isEqualTo(file.body());
        }
    }

    @Test
    void compressesForWhoeverTakesIt() throws Exception {
        String address = addresses().stream()
                .filter(file -> file.endsWith(".css"))
                .findFirst()
                .orElseThrow();
        HttpResponse<byte[]> plain = send("GET", address);
        HttpResponse<byte[]> small = send("GET", address, "Accept-Encoding", "br, gzip");

        assertThat(header(small, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(small, "Vary")).contains("Accept-Encoding");
        assertThat(unzipped(small.body())).isEqualTo(plain.body());
        assertThat(header(send("GET", address, "Accept-Encoding", "gzip;q=0"), "Content-Encoding"))
                .isEmpty();
    }

    @Test
    void weighsLittle() throws Exception {
        int bytes = send("GET", "/", "Accept-Encoding", "gzip").body().length;
        for (String address : addresses()) {
            bytes += send("GET", address, "Accept-Encoding", "gzip").body().length;
        }

        assertThat(bytes).as("the patient's page with all its files").isLessThan(MOST_BYTES);
    }

    @Test
    void runsNoScriptAndNoStyleThatIsWrittenIntoThePage() throws Exception {
        for (String path : new String[] {"/", "/print"}) {
            assertThat(text(send("GET", path)))
                    .doesNotContainPattern("<script(?![^>]*src=)")
                    .doesNotContainPattern("<style|\\sstyle=|\\son[a-z]+=")
                    .doesNotContainPattern("(src|href)=\"(https?:)?//");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET,    /nothing,                 404, NOT_FOUND",
        "GET,    /assets/x/nothing.js,     404, NOT_FOUND",
        "GET,    /assets/x/../pom.xml,     404, NOT_FOUND",
        "GET,    /assets/x/%2e%2e/application.yaml, 404, NOT_FOUND",
        "GET,    /index.html,              404, NOT_FOUND",
        "POST,   /,                        405, METHOD_NOT_ALLOWED"
    })
    void answersAnythingElseWithAProblem(String method, String path, int status, String code) throws Exception {
        HttpResponse<byte[]> answer = send(method, path, "Accept", "text/html");

        assertThat(answer.statusCode()).as(text(answer)).isEqualTo(status);
        assertThat(text(answer)).contains("\"" + code + "\"");
    }

    private static byte[] unzipped(byte[] bytes) throws IOException {
        try (var unzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return unzip.readAllBytes();
        }
    }
}
