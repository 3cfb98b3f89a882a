package dev.daybreak;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;

/** Tokens as an issuer signs them, and as forgers do. */
public final class Bearer {

    public static final String SECRET = "a secret of the tests that is long enough for HS256";
    public static final String ISSUER = "https://issuer.example";

    private final JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .subject("somebody")
            .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(1))));

    private Bearer() {}

    public static Bearer of(String... roles) {
        return new Bearer().with("roles", List.of(roles));
    }

    public static Bearer patient(long id) {
        return of("patient").with("patient_id", id).with("sub", "patient " + id);
    }

    public static Bearer doctor(long id) {
        return of("doctor").with("doctor_id", id).with("sub", "doctor " + id);
    }

    public Bearer with(String claim, Object value) {
        claims.claim(claim, value);
        return this;
    }

    public Bearer expiring(Instant at) {
        claims.expirationTime(at == null ? null : Date.from(at));
        return this;
    }

    /** By the secret that the service knows. */
    public String signed() {
        return signedWith(SECRET, JWSAlgorithm.HS256);
    }

    public String signedWith(String secret, JWSAlgorithm algorithm) {
        try {
            return sign(new JWSHeader(algorithm), new MACSigner(secret));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    public String signedWith(RSAKey key, JWSAlgorithm algorithm) {
        try {
            return sign(new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), new RSASSASigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** With the algorithm "none". */
    public String unsigned() {
        return new PlainJWT(claims.build()).serialize();
    }

    private String sign(JWSHeader header, JWSSigner signer) throws JOSEException {
        var token = new SignedJWT(header, claims.build());
        token.sign(signer);
        return token.serialize();
    }

    /** The header that carries a token. */
    public static Map<String, String> header(String token) {
        return Map.of("Authorization", "Bearer " + token);
    }
}
