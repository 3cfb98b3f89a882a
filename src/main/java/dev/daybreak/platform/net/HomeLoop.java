package dev.daybreak.platform.net;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a request is at home: the event loop that has its connection, so that its answer is written without a change of threads. */
public final class HomeLoop {

    private static final Logger LOG = LoggerFactory.getLogger(HomeLoop.class);

    private static final FastThreadLocal<Executor> CURRENT = new FastThreadLocal<>();

    private HomeLoop() {}

    /** Makes {@link #current} known on the loop's thread. */
    static void introduce(EventExecutor loop) {
        loop.execute(() -> CURRENT.set(task -> run(loop, task)));
    }

    /** What runs a task on the event loop of this thread; null on any other thread. */
    public static @Nullable Executor current() {
        return CURRENT.getIfExists();
    }

    private static void run(EventExecutor loop, Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("An event loop has ended before its last task", e);
            task.run();
        }
    }
}
