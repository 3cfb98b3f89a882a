package dev.daybreak.platform.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.mock.env.MockEnvironment;

/** Where a service that asks nobody who they are may listen. */
class ExposureTest {

    private final MockEnvironment environment = new MockEnvironment();
    private final NettyReactiveWebServerFactory server = new NettyReactiveWebServerFactory();

    @Test
    void withoutAnAddressItListensOnLoopback() {
        new Exposure(true, environment).customize(server);

        assertThat(server.getAddress()).isEqualTo(InetAddress.getLoopbackAddress());
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "localhost"})
    void loopbackMayBeNamed(String address) {
        environment.setProperty("server.address", address);

        new Exposure(true, environment).customize(server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.7"})
    void anyOtherAddressNeedsAuthentication(String address) {
        environment.setProperty("server.address", address);

        new Exposure(false, environment).customize(server);
        assertThatThrownBy(() -> new Exposure(true, environment).customize(server))
                .isInstanceOf(Exposed.class)
                .hasMessageContaining("server.address");
    }

    @ParameterizedTest
    @CsvSource({"9090, , true", "9090, 0.0.0.0, true", "9090, 127.0.0.1, false", "8080, , false", "-1, , false"})
    void thePortOfTheActuatorCountsToo(String port, String address, boolean refused) {
        environment.setProperty("server.port", "8080");
        environment.setProperty("management.server.port", port);
        if (address != null) {
            environment.setProperty("management.server.address", address);
        }

        if (refused) {
            assertThatThrownBy(() -> new Exposure(true, environment).customize(server))
                    .isInstanceOf(Exposed.class)
                    .hasMessageContaining("management.server.address");
        } else {
            new Exposure(true, environment).customize(server);
        }
    }

    @Test
    void theMessageSaysWhatToSet() {
        var failure = new Exposed("server.address", "0.0.0.0");

        assertThat(new ExposedAnalyzer().analyze(failure).getAction())
                .contains("issuer-uri", "jwk-set-uri", "daybreak.security.jwt.secret", "server.address=127.0.0.1");
    }
}
