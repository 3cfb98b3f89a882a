package dev.daybreak.platform.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.platform.DemoService;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Thousands who connect and say nothing: {@code -Ddaybreak.test.connections=10000} for as many as the design names. Both ends are in
 * this process, so it takes almost twice as many files.
 */
class CrowdOfConnectionsTest {

    private static final int CROWD = Integer.getInteger("daybreak.test.connections", 2_000);
    private static final int ROOM = CROWD * 3 / 4;
    private static final String ASK = "GET /api/orders/7 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    @Test
    void servesOthersWhileThousandsSayNothing() throws IOException {
        List<SocketChannel> crowd = new ArrayList<>();
        try (ConfigurableApplicationContext service = serviceWithRoomForThreeQuarters()) {
            int port = Integer.parseInt(service.getEnvironment().getRequiredProperty("local.server.port"));
            var meters = service.getBean(MeterRegistry.class);
            int served = 0;
            int refused = 0;
            for (int i = 0; i < CROWD; i++) {
                crowd.add(SocketChannel.open(new InetSocketAddress("127.0.0.1", port)));
                if (i % 100 == 0) {
                    String said = ask(port);
                    served += said.startsWith("HTTP/1.1 200") ? 1 : 0;
                    refused += said.startsWith("HTTP/1.1 503") ? 1 : 0;
                }
            }

            assertThat(served + refused).isEqualTo((CROWD + 99) / 100);
            assertThat(served).isGreaterThanOrEqualTo(ROOM / 100);
            // Nobody hangs up, and yet there is room again in seconds.
            await().atMost(Duration.ofSeconds(10)).until(() -> ask(port).startsWith("HTTP/1.1 200"));
            await().atMost(Duration.ofSeconds(10)).until(() -> open(meters) < ROOM * 0.8 + 2);
            for (int i = 0; i < 20; i++) {
                assertThat(ask(port)).startsWith("HTTP/1.1 200");
            }
            assertThat(crowd).hasSize(CROWD);
        } finally {
            for (SocketChannel one : crowd) {
                one.close();
            }
        }
    }

    private static double open(MeterRegistry meters) {
        return meters.get("daybreak.web.connections").gauge().value();
    }

    private static String ask(int port) throws IOException {
        try (Wire wire = new Wire(port)) {
            return wire.send(ASK).rest();
        }
    }

    private static ConfigurableApplicationContext serviceWithRoomForThreeQuarters() {
        return new SpringApplicationBuilder(DemoService.class)
                .run(
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--management.endpoint.health.validate-group-membership=false",
                        "--spring.flyway.enabled=false",
                        "--daybreak.web.max-connections=" + ROOM);
    }
}
