package dev.daybreak;

import io.netty.handler.codec.compression.Zstd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;

/**
 * Makes a blocking call on an event loop fail: the call throws, and the test that ran meanwhile fails even if the error was
 * swallowed on its way. Found by JUnit itself, hence in force in every test without being named there.
 */
public final class BlockingCalls implements AfterEachCallback {

    private static final ConcurrentLinkedQueue<BlockingOperationError> SEEN = new ConcurrentLinkedQueue<>();

    static {
        Zstd.isAvailable(); // its native library is loaded once, and not by an event loop
        BlockHound.builder()
                .loadIntegrations()
                // Reads /dev/urandom, which never waits.
                .allowBlockingCallsInside("java.security.SecureRandom", "nextBytes")
                // Reads class files from the disk, when somebody asks for the description of the API for the first
                // time.
                .allowBlockingCallsInside("org.springdoc.api.AbstractOpenApiResource", "getOpenApi")
                // Static files from the class path; their bytes are in the page cache.
                .allowBlockingCallsInside("java.util.zip.ZipFile$Source", "readFullyAt")
                .allowBlockingCallsInside("java.util.zip.ZipFile$Source", "readAt")
                // Libraries guard a few instructions with them, as others do with synchronized, which nobody counts
                // either.
                .allowBlockingCallsInside("java.util.concurrent.locks.ReentrantLock", "lock")
                .allowBlockingCallsInside("java.util.concurrent.locks.StampedLock", "writeLock")
                .allowBlockingCallsInside("java.util.concurrent.locks.StampedLock", "readLock")
                .blockingMethodCallback(method -> {
                    var error = new BlockingOperationError(method);
                    SEEN.add(error);
                    throw error;
                })
                .install();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        List<BlockingOperationError> seen = drain();
        if (!seen.isEmpty()) {
            throw new AssertionError(seen.size() + " blocking calls on event loops, the first:", seen.getFirst());
        }
    }

    /** The calls that were caught since the last time; none of them fails a test any more. */
    static List<BlockingOperationError> drain() {
        var drained = new ArrayList<BlockingOperationError>();
        for (var next = SEEN.poll(); next != null; next = SEEN.poll()) {
            drained.add(next);
        }
        return drained;
    }
}
