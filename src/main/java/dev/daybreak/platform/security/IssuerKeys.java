package dev.daybreak.platform.security;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import io.netty.channel.ChannelOption;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * The keys of the issuer, fetched before anybody needs them and again and again. A token that names a key which is not among
 * them has them fetched once more, but not for every such token: whoever invents them must not keep the issuer busy.
 *
 * <p>If the issuer is away, its last keys count for a day; without any, tokens cannot be verified and callers are told to come
 * back.
 */
final class IssuerKeys implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofSeconds(5);
    private static final Duration USABLE = Duration.ofDays(1);
    private static final String DISCOVERY = "/.well-known/openid-configuration";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final IssuerSettings issuer;
    private final Duration interval;
    private final Runnable whenChanged;
    private final WebClient http;
    private final AtomicReference<@Nullable Mono<JWKSet>> underWay = new AtomicReference<>();
    private volatile @Nullable Fetched fetched;
    private volatile long lastAttempt = System.nanoTime() - AGAIN.toNanos();
    private @Nullable Disposable rounds;

    private record Fetched(JWKSet keys, long at) {}

    IssuerKeys(IssuerSettings issuer, Duration interval, Runnable whenChanged) {
        this.issuer = issuer;
        this.interval = interval;
        this.whenChanged = whenChanged;
        this.http = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(
                        HttpClient.create().responseTimeout(PATIENCE).option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                                PATIENCE.toMillis())))
                .build();
    }

    /** Emits the keys among which the token's should be, or an UNAVAILABLE refusal. */
    Flux<JWK> of(SignedJWT token) {
        String kid = token.getHeader().getKeyID();
        Fetched now = usable();
        if (now != null && (kid == null || now.keys().getKeyByKeyId(kid) != null)) {
            return Flux.fromIterable(now.keys().getKeys());
        }
        if (System.nanoTime() - lastAttempt >= AGAIN.toNanos() || underWay.get() != null) {
            return fetchOnce().onErrorMap(failure -> unavailable()).flatMapIterable(JWKSet::getKeys);
        }
        // Fetched a moment ago, and the key was not there.
        return now == null
                ? Flux.error(unavailable())
                : Flux.fromIterable(now.keys().getKeys());
    }

    private @Nullable Fetched usable() {
        Fetched now = fetched;
        return now == null || System.nanoTime() - now.at() > USABLE.toNanos() ? null : now;
    }

    private static Refusal unavailable() {
        return new Refusal(Problem.of(ProblemCode.UNAVAILABLE).retryAfter(AGAIN));
    }

    /** One call at a time, whoever waits for it or leaves. */
    private Mono<JWKSet> fetchOnce() {
        Mono<JWKSet> mine = fetch().doFinally(signal -> underWay.set(null)).cache();
        Mono<JWKSet> theirs = underWay.compareAndExchange(null, mine);
        return theirs == null ? mine : theirs;
    }

    private Mono<JWKSet> fetch() {
        return Mono.defer(() -> {
                    lastAttempt = System.nanoTime();
                    return location();
                })
                .flatMap(uri -> http.get().uri(uri).retrieve().bodyToMono(String.class))
                .map(IssuerKeys::parse)
                .timeout(PATIENCE.multipliedBy(2))
                .doOnNext(this::keep)
                .doOnError(failure -> LOG.warn("The keys of the issuer could not be fetched: {}", failure.toString()));
    }

    private Mono<String> location() {
        if (issuer.jwkSetUri() != null) {
            return Mono.just(issuer.jwkSetUri());
        }
        String uri = String.valueOf(issuer.issuerUri());
        String base = uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
        return http.get()
                .uri(base + DISCOVERY)
                .retrieve()
                .bodyToMono(String.class)
                .map(JSON::readTree)
                .filter(metadata -> uri.equals(metadata.path("issuer").stringValue("")))
                .mapNotNull(metadata -> metadata.path("jwks_uri").stringValue(null))
                .switchIfEmpty(Mono.error(
                        () -> new IllegalStateException(base + DISCOVERY + " does not speak for the issuer " + uri)));
    }

    private static JWKSet parse(String json) {
        try {
            return JWKSet.parse(json);
        } catch (ParseException e) {
            throw new IllegalStateException("Not a JWK set", e);
        }
    }

    private void keep(JWKSet keys) {
        Fetched before = fetched;
        fetched = new Fetched(keys, System.nanoTime());
        if (before != null && !before.keys().equals(keys)) {
            LOG.info("The issuer has other keys now");
            whenChanged.run();
        }
    }

    @Override
    public void start() {
        rounds = Mono.defer(this::fetchOnce)
                .map(keys -> interval)
                .onErrorReturn(AGAIN.compareTo(interval) < 0 ? AGAIN : interval)
                .flatMap(Mono::delay)
                .repeat()
                .subscribe();
    }

    @Override
    public void stop() {
        if (rounds != null) {
            rounds.dispose();
            rounds = null;
        }
    }

    @Override
    public boolean isRunning() {
        return rounds != null;
    }

    /** Before what takes requests. */
    @Override
    public int getPhase() {
        return SmartLifecycle.DEFAULT_PHASE - 10_000;
    }
}
