package dev.daybreak.platform.security;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Turns {@link Exposed} into the one message an operator needs. */
final class ExposedAnalyzer extends AbstractFailureAnalyzer<Exposed> {

    private static final String ACTION = """
            Say whose tokens count, by one of
              spring.security.oauth2.resourceserver.jwt.issuer-uri (SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_ISSUER_URI),
              spring.security.oauth2.resourceserver.jwt.jwk-set-uri (SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_JWK_SET_URI),
              daybreak.security.jwt.secret (DAYBREAK_SECURITY_JWT_SECRET), 32 bytes or more;
            or listen on this machine only: server.address=127.0.0.1""";

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, Exposed cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), ACTION, cause);
    }
}
