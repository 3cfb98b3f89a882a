package dev.daybreak.platform.security;

import reactor.core.publisher.Mono;

/** Knows the tokens that people got by logging in with a name and a password; whoever keeps them implements this. */
public interface LoginTokens {

    /**
     * Emits whose the token is; empty if it is nobody's, has expired or was logged out. Errors with an UNAVAILABLE refusal when
     * that cannot be told now.
     */
    Mono<Identity> find(String token);
}
