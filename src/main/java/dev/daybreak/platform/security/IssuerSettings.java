package dev.daybreak.platform.security;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Who issues the tokens, by the names that Spring Boot gives to these settings.
 *
 * @param issuerUri must be the issuer that a token names; where its keys are is asked there, unless said
 * @param jwkSetUri where its keys are
 * @param jwsAlgorithms how tokens may be signed; others are refused, whatever their signature is worth
 * @param audiences a token must be for one of these, if there are any
 * @param publicKeyLocation not supported
 */
@ConfigurationProperties("spring.security.oauth2.resourceserver.jwt")
record IssuerSettings(
        @Nullable String issuerUri,
        @Nullable String jwkSetUri,
        @DefaultValue("RS256") List<String> jwsAlgorithms,
        @DefaultValue List<String> audiences,
        @Nullable String publicKeyLocation) {

    private static final Set<String> ASYMMETRIC =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    IssuerSettings {
        issuerUri = StringUtils.hasText(issuerUri) ? issuerUri : null;
        jwkSetUri = StringUtils.hasText(jwkSetUri) ? jwkSetUri : null;
        Assert.isTrue(
                !StringUtils.hasText(publicKeyLocation),
                "spring.security.oauth2.resourceserver.jwt.public-key-location is not supported; serve the key as a"
                        + " JWK set and set jwk-set-uri");
        Assert.isTrue(
                !jwsAlgorithms.isEmpty() && ASYMMETRIC.containsAll(jwsAlgorithms),
                "spring.security.oauth2.resourceserver.jwt.jws-algorithms may name "
                        + ASYMMETRIC.stream().sorted().toList());
    }

    boolean isSet() {
        return issuerUri != null || jwkSetUri != null;
    }
}
