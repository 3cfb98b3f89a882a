package dev.daybreak;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;

/**
 * Makes a blocking call on an event loop fail, in every test of the run. The call throws, which the test that caused it
 * usually sees as a 500; where the error is swallowed on its way, its stack is on the console.
 */
public final class BlockingCalls implements LauncherSessionListener {

    private static final List<BlockingOperationError> SEEN = new CopyOnWriteArrayList<>();

    @Override
    public void launcherSessionOpened(LauncherSession session) {
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
                .blockingMethodCallback(method -> {
                    var error = new BlockingOperationError(method);
                    SEEN.add(error);
                    error.printStackTrace();
                    throw error;
                })
                .install();
    }

    static List<BlockingOperationError> seen() {
        return SEEN;
    }
}
