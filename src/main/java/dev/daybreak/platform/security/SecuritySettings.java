package dev.daybreak.platform.security;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Which tokens count, and what is open without one.
 *
 * @param openEndpoints the actuator's endpoints that everybody may read
 */
@ConfigurationProperties("daybreak.security")
record SecuritySettings(
        @DefaultValue JwtSettings jwt,
        @DefaultValue("health") Set<String> openEndpoints) {

    /**
     * Tokens.
     *
     * @param secret what they are signed with (HS256), if issuer and service share a secret
     * @param issuer who must have issued them, if they are signed with the secret; any issuer if unset
     * @param rolesClaim the claim with the roles; a dot looks inside another claim
     * @param refresh how often the issuer's keys are fetched
     * @param maxVerified how many verified tokens are remembered at least, so that each is verified once
     */
    record JwtSettings(
            @Nullable String secret,
            @Nullable String issuer,
            @DefaultValue("roles") String rolesClaim,
            @DefaultValue("patient_id") String patientClaim,
            @DefaultValue("doctor_id") String doctorClaim,
            @DefaultValue("5m") Duration refresh,
            @DefaultValue("20000") int maxVerified) {

        private static final int SHORTEST_SECRET = 32;

        JwtSettings {
            // An environment variable that is passed on empty means that nobody has set it.
            secret = StringUtils.hasText(secret) ? secret : null;
            issuer = StringUtils.hasText(issuer) ? issuer : null;
            Assert.isTrue(
                    secret == null || secret.getBytes(StandardCharsets.UTF_8).length >= SHORTEST_SECRET,
                    "daybreak.security.jwt.secret must have at least 32 bytes, such as openssl rand -base64 32 makes");
            Assert.isTrue(
                    refresh.compareTo(Duration.ofSeconds(1)) >= 0,
                    "daybreak.security.jwt.refresh must be at least a second");
            Assert.isTrue(
                    maxVerified >= 1 && maxVerified <= 10_000_000,
                    "daybreak.security.jwt.max-verified must be 1 to 10,000,000");
        }

        /** Not the secret: what is printed ends in logs. */
        @Override
        public String toString() {
            return "JwtSettings[secret " + (secret == null ? "unset" : "set") + "]";
        }
    }
}
