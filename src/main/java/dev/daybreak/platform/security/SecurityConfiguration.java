package dev.daybreak.platform.security;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSecurityContextJWKSet;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import dev.daybreak.platform.security.Tokens.Expected;
import java.time.Clock;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.util.Assert;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({SecuritySettings.class, IssuerSettings.class})
class SecurityConfiguration {

    private static final String EMBEDDED_DATABASE = "embeddedDatabase";

    @Bean
    VerifiedTokens verifiedTokens(SecuritySettings settings, Clock clock) {
        return new VerifiedTokens(settings.jwt().maxVerified(), clock);
    }

    @Bean
    @Conditional(IssuerIsSet.class)
    IssuerKeys issuerKeys(IssuerSettings issuer, SecuritySettings settings, VerifiedTokens verified) {
        Assert.state(
                settings.jwt().secret() == null,
                "Set daybreak.security.jwt.secret or spring.security.oauth2.resourceserver.jwt.*, not both");
        return new IssuerKeys(issuer, settings.jwt().refresh(), verified::forget);
    }

    @Bean
    DevelopmentTokens developmentTokens(
            SecuritySettings settings, IssuerSettings issuer, BeanFactory beans, Clock clock) {
        boolean offered = isAnonymous(settings, issuer) && beans.containsBean(EMBEDDED_DATABASE);
        return new DevelopmentTokens(offered, settings.jwt(), clock);
    }

    @Bean
    ActuatorAccess actuatorAccess(Callers callers, SecuritySettings settings, Environment environment) {
        String path = environment.getProperty("management.endpoints.web.base-path", "/actuator");
        return new ActuatorAccess(callers, path, settings.openEndpoints());
    }

    @Bean
    Callers callers(
            SecuritySettings settings,
            IssuerSettings issuer,
            ObjectProvider<IssuerKeys> keys,
            DevelopmentTokens development,
            ObjectProvider<LoginTokens> logins,
            VerifiedTokens verified,
            Clock clock) {
        NimbusReactiveJwtDecoder decoder = decoder(settings, issuer, keys.getIfAvailable(), development);
        var expected = new Expected(
                settings.jwt().secret() == null
                        ? issuer.issuerUri()
                        : settings.jwt().issuer(),
                issuer.audiences());
        Tokens tokens =
                decoder == null ? null : new Tokens(decoder, expected, new Claims(settings.jwt()), verified, clock);
        return new Callers(isAnonymous(settings, issuer), tokens, logins.getIfAvailable());
    }

    @Bean
    Exposure exposure(SecuritySettings settings, IssuerSettings issuer, Environment environment) {
        return new Exposure(isAnonymous(settings, issuer), environment);
    }

    private static boolean isAnonymous(SecuritySettings settings, IssuerSettings issuer) {
        return settings.jwt().secret() == null && !issuer.isSet();
    }

    private static @Nullable NimbusReactiveJwtDecoder decoder(
            SecuritySettings settings,
            IssuerSettings issuer,
            @Nullable IssuerKeys keys,
            DevelopmentTokens development) {
        String secret = settings.jwt().secret();
        if (secret != null) {
            return NimbusReactiveJwtDecoder.withSecretKey(Secret.of(secret).key())
                    .macAlgorithm(MacAlgorithm.HS256)
                    .build();
        }
        if (keys != null) {
            return signedByIssuer(keys, issuer.jwsAlgorithms());
        }
        return development.areOffered() ? development.decoder() : null;
    }

    private static NimbusReactiveJwtDecoder signedByIssuer(IssuerKeys keys, List<String> algorithms) {
        var allowed = algorithms.stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
        return NimbusReactiveJwtDecoder.withJwkSource(keys::of)
                .jwtProcessorCustomizer(processor -> processor.setJWSKeySelector(
                        new JWSVerificationKeySelector<>(allowed, new JWKSecurityContextJWKSet())))
                .build();
    }

    static final class IssuerIsSet implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return isSet(context.getEnvironment());
        }

        static boolean isSet(Environment environment) {
            String prefix = "spring.security.oauth2.resourceserver.jwt.";
            return !environment.getProperty(prefix + "issuer-uri", "").isBlank()
                    || !environment.getProperty(prefix + "jwk-set-uri", "").isBlank();
        }
    }
}
