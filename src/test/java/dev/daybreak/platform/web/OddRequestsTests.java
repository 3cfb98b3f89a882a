package dev.daybreak.platform.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** What no decent client sends, byte by byte. */
@DemoServiceTest
class OddRequestsTests {

    @LocalServerPort
    private int port;

    @Test
    void aMediaTypeThatIsNoneIsNotSupported() throws IOException {
        assertThat(answer("POST /api/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: nonsense\r\n"
                        + "Content-Length: 2\r\n\r\n{}"))
                .startsWith("HTTP/1.1 415")
                .contains("application/problem+json");
    }

    @Test
    void aBodyInChunksHasALimitToo() throws IOException {
        assertThat(answer(
                        "POST /api/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n"
                                + ("1000\r\n" + " ".repeat(4096) + "\r\n").repeat(5)
                                + "0\r\n\r\n"))
                .startsWith("HTTP/1.1 413")
                .contains("BODY_TOO_LARGE");
    }

    @Test
    void invalidUtf8IsNoJson() throws IOException {
        assertThat(answer(
                        "POST /api/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
                                + "Content-Length: 14\r\n\r\n{\"note\":\"\u00c3\u0028\u00ff\"}"))
                .startsWith("HTTP/1.1 400")
                .contains("\"field\":\"body\"");
    }

    /** Netty and Spring refuse these before any handler can speak: a status is all there is. */
    @Test
    void anUnreadableAddressIsAFaultOfTheClient() throws IOException {
        assertThat(answer("GET /api/orders/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(answer("GET /api/orders/1?date=%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(answer("GET /" + "x".repeat(9_000) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 414");
    }

    @Test
    void acceptingMoreTypesThanAnybodyCanSortIsAFaultOfTheClient() throws IOException {
        String accept = "Accept: " + "a/b,".repeat(60) + "a/b\r\n";
        assertThat(answer("GET /api/orders/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + accept + "\r\n"))
                .startsWith("HTTP/1.1 404")
                .contains("NOT_FOUND");
        assertThat(answer("GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + accept + "\r\n"))
                .startsWith("HTTP/1.1 406")
                .contains("NOT_ACCEPTABLE");
    }

    private String answer(String request) throws IOException {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
