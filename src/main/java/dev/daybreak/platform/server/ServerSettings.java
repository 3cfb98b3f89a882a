package dev.daybreak.platform.server;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * What the HTTP server puts up with.
 *
 * @param maxConnections open connections of an instance, live feeds included; the next is answered 503. Less if the operating system
 *     allows the process fewer files
 * @param maxHeaders headers of a request; one with more is answered 431
 * @param maxUpload the most of a request's body that is read and thrown away; who sends more is cut off. What is understood of a
 *     body is less: {@code spring.http.codecs.max-in-memory-size}
 * @param requestTimeout from the first byte of a request to its last
 * @param idleTimeout how long a connection may wait for its next request; longer than the load balancer keeps its own open
 * @param stallTimeout how long a client may leave an answer unread
 * @param contentSecurityPolicy what pages may load and run
 */
@ConfigurationProperties("daybreak.web")
record ServerSettings(
        @DefaultValue("25000") int maxConnections,
        @DefaultValue("100") int maxHeaders,
        @DefaultValue("1MB") DataSize maxUpload,
        @DefaultValue("10s") Duration requestTimeout,
        @DefaultValue("75s") Duration idleTimeout,
        @DefaultValue("60s") Duration stallTimeout,
        @DefaultValue(POLICY) String contentSecurityPolicy,
        @DefaultValue Cors cors) {

    private static final String POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none';"
            + " form-action 'self'; frame-ancestors 'none'";

    ServerSettings {
        Assert.isTrue(maxConnections >= 1, "daybreak.web.max-connections must be positive");
        Assert.isTrue(
                maxHeaders >= 20, "daybreak.web.max-headers must be 20 or more: browsers and proxies send as many");
        Assert.isTrue(maxUpload.toBytes() >= 65_536, "daybreak.web.max-upload must be 64KB or more");
        Assert.isTrue(requestTimeout.toMillis() >= 100, "daybreak.web.request-timeout must be 100ms or more");
        Assert.isTrue(idleTimeout.toMillis() >= 100, "daybreak.web.idle-timeout must be 100ms or more");
        Assert.isTrue(stallTimeout.toMillis() >= 100, "daybreak.web.stall-timeout must be 100ms or more");
        Assert.isTrue(
                contentSecurityPolicy.chars().allMatch(c -> c >= ' ' && c < 127),
                "daybreak.web.content-security-policy must be one line of ASCII");
    }

    /**
     * Pages of other origins that may call the API.
     *
     * @param origins such as {@code https://portal.example.org}; none by default
     */
    record Cors(@DefaultValue List<String> origins) {

        Cors {
            origins = List.copyOf(origins);
            origins.forEach(origin -> Assert.isTrue(
                    isOrigin(origin),
                    "daybreak.web.cors.origins must be scheme and host, such as https://portal.example.org, not "
                            + origin));
        }

        private static boolean isOrigin(String origin) {
            try {
                var uri = new URI(origin);
                return ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()))
                        && uri.getHost() != null
                        && uri.getUserInfo() == null
                        && uri.getRawPath().isEmpty()
                        && uri.getRawQuery() == null
                        && uri.getRawFragment() == null;
            } catch (URISyntaxException e) {
                return false;
            }
        }
    }
}
