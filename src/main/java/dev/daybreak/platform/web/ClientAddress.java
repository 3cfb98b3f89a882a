package dev.daybreak.platform.web;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Where a request comes from, for limits on what one caller may do. */
public final class ClientAddress {

    /** Of an IPv6 address: the rest of it a household or office may choose as it likes. */
    private static final int NETWORK_BYTES = 8;

    private ClientAddress() {}

    /**
     * The address; of IPv6 the network. Behind a proxy it is the proxy's unless {@code server.forward-headers-strategy} says
     * that what the proxy tells is to be believed.
     */
    public static String of(ServerRequest request) {
        return request.remoteAddress()
                .map(InetSocketAddress::getAddress)
                .map(ClientAddress::name)
                .orElse("unknown");
    }

    private static String name(InetAddress address) {
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), NETWORK_BYTES))
                : address.getHostAddress();
    }
}
