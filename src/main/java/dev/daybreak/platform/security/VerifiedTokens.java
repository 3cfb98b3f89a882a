package dev.daybreak.platform.security;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Remembers tokens that were verified, until they expire: verifying one takes about as long as the rest of a request. Keeps only
 * hashes of them, and between one and two times as many as it was told: when the young generation is full, the old one is forgotten.
 */
final class VerifiedTokens {

    private final int most;
    private final Clock clock;
    private final AtomicInteger added = new AtomicInteger();
    private volatile ConcurrentHashMap<Hash, Entry> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<Hash, Entry> old = new ConcurrentHashMap<>();

    private record Entry(Identity identity, long expiresAtMillis) {}

    private record Hash(long a, long b, long c, long d) {

        static Hash of(String token) {
            var bytes = ByteBuffer.wrap(Secret.hash(token));
            return new Hash(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
        }
    }

    VerifiedTokens(int most, Clock clock) {
        this.most = most;
        this.clock = clock;
    }

    /** Whose the token is, if it was verified before and has not expired. */
    @Nullable
    Identity find(String token) {
        Hash hash = Hash.of(token);
        Entry entry = young.get(hash);
        if (entry == null) {
            entry = old.get(hash);
            if (entry != null) {
                add(hash, entry);
            }
        }
        return entry == null || entry.expiresAtMillis() <= clock.millis() ? null : entry.identity();
    }

    void add(String token, Identity identity, Instant expiresAt) {
        add(Hash.of(token), new Entry(identity, expiresAt.toEpochMilli()));
    }

    private void add(Hash hash, Entry entry) {
        if (young.put(hash, entry) == null && added.incrementAndGet() >= most) {
            replace();
        }
    }

    private synchronized void replace() {
        if (added.get() >= most) {
            old = young;
            young = new ConcurrentHashMap<>();
            added.set(0);
        }
    }

    /** For when the keys changed: one that was taken back must not count any longer. */
    synchronized void forget() {
        old = new ConcurrentHashMap<>();
        young = new ConcurrentHashMap<>();
        added.set(0);
    }
}
