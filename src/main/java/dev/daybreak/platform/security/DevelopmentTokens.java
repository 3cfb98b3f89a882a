package dev.daybreak.platform.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Locale;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;

/** Signs tokens with a secret of this start, so that whoever develops a portal has some without an issuer. */
public final class DevelopmentTokens {

    private static final Duration LIFE = Duration.ofHours(12);

    private final Secret secret = Secret.random();
    private final boolean offered;
    private final SecuritySettings.JwtSettings settings;
    private final Clock clock;

    DevelopmentTokens(boolean offered, SecuritySettings.JwtSettings settings, Clock clock) {
        this.offered = offered;
        this.settings = settings;
        this.clock = clock;
    }

    /** A token as it was issued. */
    public record Issued(String token, Instant expiresAt) {}

    /** Whether the service is one to develop with: on its embedded database, with no authentication configured. */
    public boolean areOffered() {
        return offered;
    }

    public Issued issue(Identity identity) {
        Instant expiresAt = clock.instant().plus(LIFE);
        var claims = new JWTClaimsSet.Builder()
                .subject(identity.name())
                .issueTime(Date.from(clock.instant()))
                .expirationTime(Date.from(expiresAt))
                .claim(
                        settings.rolesClaim(),
                        identity.roles().stream()
                                .map(role -> role.name().toLowerCase(Locale.ROOT))
                                .sorted()
                                .toList())
                .claim(settings.patientClaim(), identity.patientId())
                .claim(settings.doctorClaim(), identity.doctorId())
                .build();
        var token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
        try {
            token.sign(new MACSigner(secret.key()));
        } catch (JOSEException e) {
            throw new IllegalStateException("A secret of 32 bytes signs HS256", e);
        }
        return new Issued(token.serialize(), expiresAt);
    }

    NimbusReactiveJwtDecoder decoder() {
        return NimbusReactiveJwtDecoder.withSecretKey(secret.key())
                .macAlgorithm(MacAlgorithm.HS256)
                .build();
    }
}
