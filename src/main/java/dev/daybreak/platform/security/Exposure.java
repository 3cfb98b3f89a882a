package dev.daybreak.platform.security;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.reactive.ConfigurableReactiveWebServerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Keeps a service that asks nobody who they are on this machine: without an address it listens on loopback, with another one
 * it does not start.
 */
final class Exposure implements WebServerFactoryCustomizer<ConfigurableReactiveWebServerFactory>, Ordered {

    private static final String ADDRESS = "server.address";
    private static final String MANAGEMENT_PORT = "management.server.port";
    private static final String MANAGEMENT_ADDRESS = "management.server.address";

    private final boolean anonymous;
    private final Environment environment;

    Exposure(boolean anonymous, Environment environment) {
        this.anonymous = anonymous;
        this.environment = environment;
    }

    /** After Spring Boot, which sets the address that is configured. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void customize(ConfigurableReactiveWebServerFactory server) {
        if (!anonymous) {
            return;
        }
        InetAddress address = address(ADDRESS);
        if (address == null) {
            server.setAddress(InetAddress.getLoopbackAddress());
        } else if (!address.isLoopbackAddress()) {
            throw new Exposed(ADDRESS, address.getHostAddress());
        }
        // The actuator's own port listens everywhere unless it is told otherwise.
        String port = environment.getProperty(MANAGEMENT_PORT, "");
        if (!port.isEmpty() && !port.equals("-1") && !port.equals(environment.getProperty("server.port"))) {
            InetAddress management = address(MANAGEMENT_ADDRESS);
            if (management == null || !management.isLoopbackAddress()) {
                throw new Exposed(MANAGEMENT_ADDRESS, management == null ? "unset" : management.getHostAddress());
            }
        }
    }

    private @Nullable InetAddress address(String property) {
        return environment.getProperty(property, "").isEmpty()
                ? null
                : Binder.get(environment).bind(property, InetAddress.class).get();
    }
}
