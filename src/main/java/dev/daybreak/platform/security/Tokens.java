package dev.daybreak.platform.security;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import reactor.core.publisher.Mono;

/** Bearer tokens: what one says of its holder, if it is genuine, in force and meant for this service. */
final class Tokens {

    /** How far the issuer's clock may be ahead. An expired token is expired all the same. */
    private static final Duration AHEAD = Duration.ofSeconds(60);

    private final ReactiveJwtDecoder decoder;
    private final Claims claims;
    private final VerifiedTokens verified;

    Tokens(NimbusReactiveJwtDecoder decoder, Expected expected, Claims claims, VerifiedTokens verified, Clock clock) {
        decoder.setJwtValidator(expected.validator(clock));
        this.decoder = decoder;
        this.claims = claims;
        this.verified = verified;
    }

    /**
     * What a token must say.
     *
     * @param audiences one of which it must name, if there are any
     */
    record Expected(@Nullable String issuer, List<String> audiences) {

        OAuth2TokenValidator<Jwt> validator(Clock clock) {
            var rules = new ArrayList<OAuth2TokenValidator<Jwt>>();
            rules.add(token -> result(isInForce(token, clock.instant()), "It is not in force"));
            if (issuer != null) {
                rules.add(new JwtIssuerValidator(issuer));
            }
            if (!audiences.isEmpty()) {
                rules.add(token -> result(
                        token.getAudience() != null && !Collections.disjoint(token.getAudience(), audiences),
                        "It is for somebody else"));
            }
            return new DelegatingOAuth2TokenValidator<>(rules);
        }

        private static boolean isInForce(Jwt token, Instant now) {
            Instant expiresAt = token.getExpiresAt();
            Instant notBefore = token.getNotBefore();
            return expiresAt != null
                    && now.isBefore(expiresAt)
                    && (notBefore == null || !now.plus(AHEAD).isBefore(notBefore));
        }

        private static OAuth2TokenValidatorResult result(boolean ok, String otherwise) {
            return ok
                    ? OAuth2TokenValidatorResult.success()
                    : OAuth2TokenValidatorResult.failure(new OAuth2Error("invalid_token", otherwise, null));
        }
    }

    /** Whose the token is, if that has been found out before. */
    @Nullable
    Identity known(String token) {
        return verified.find(token);
    }

    /** Emits whose the token is, or a refusal: UNAUTHORIZED, or UNAVAILABLE while there are no keys to verify it with. */
    Mono<Identity> verify(String token) {
        return Mono.defer(() -> decoder.decode(token))
                .map(genuine -> {
                    Identity identity = claims.identity(genuine.getClaims());
                    Instant expiresAt = genuine.getExpiresAt();
                    if (expiresAt != null) {
                        verified.add(token, identity, expiresAt);
                    }
                    return identity;
                })
                .onErrorMap(Tokens::refusal);
    }

    private static Throwable refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof Refusal keysAreAway) {
                return keysAreAway;
            }
        }
        return failure instanceof JwtException ? new Refusal(ProblemCode.UNAUTHORIZED) : failure;
    }
}
