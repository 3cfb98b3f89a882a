package dev.daybreak.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.DaybreakTest;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** A web site that lets its name mean this machine gets no further than a stranger, where everybody on the machine may do everything. */
@DaybreakTest
class ForeignNamesTest {

    @LocalServerPort
    private int port;

    @ParameterizedTest
    @CsvSource({
        "localhost, 200",
        "LOCALHOST:8080, 200",
        "127.0.0.1:8080, 200",
        "[::1]:8080, 200",
        "evil.example.org, 401",
        "localhost.evil.example.org, 401",
        "127.0.0.1.evil.example.org:8080, 401",
        "10.0.0.1, 401"
    })
    void isAnonymousOnlyByTheNamesOfThisMachine(String host, int status) throws IOException {
        try (Wire wire = new Wire(port)) {
            assertThat(wire.send("GET /api/admin/audit?limit=1 HTTP/1.1\r\nHost: " + host
                                    + "\r\nConnection: close\r\n\r\n")
                            .rest())
                    .startsWith("HTTP/1.1 " + status);
        }
    }
}
