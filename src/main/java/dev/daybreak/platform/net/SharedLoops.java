package dev.daybreak.platform.net;

import io.lettuce.core.resource.EventLoopGroupProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.TimeUnit;
import reactor.netty.resources.LoopResources;

/** Lends the event loops to Lettuce, which may not shut down what it did not start. */
final class SharedLoops implements EventLoopGroupProvider {

    private final LoopResources loops;

    SharedLoops(LoopResources loops) {
        this.loops = loops;
    }

    @Override
    @SuppressWarnings("unchecked") // Lettuce asks for the transport's own class but uses the interface.
    public <T extends EventLoopGroup> T allocate(Class<T> type) {
        return (T) loops.onClient(LoopResources.DEFAULT_NATIVE);
    }

    @Override
    public int threadPoolSize() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public Future<Boolean> release(EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
        return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
    }

    @Override
    public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
        return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
    }
}
