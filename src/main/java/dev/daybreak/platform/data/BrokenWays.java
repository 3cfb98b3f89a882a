package dev.daybreak.platform.data;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;

/** Gives every connection that these event loops open an {@link AnswerDeadline}. */
final class BrokenWays implements LoopResources {

    private final LoopResources loops;
    private final Duration deadline;

    BrokenWays(LoopResources loops, Duration deadline) {
        this.loops = loops;
        this.deadline = deadline;
    }

    @Override
    public <C extends Channel> C onChannel(Class<C> type, EventLoopGroup group) {
        C channel = loops.onChannel(type, group);
        channel.pipeline().addLast(new AnswerDeadline(deadline, System::nanoTime));
        return channel;
    }

    @Override
    public <C extends Channel> Class<? extends C> onChannelClass(Class<C> type, EventLoopGroup group) {
        return loops.onChannelClass(type, group);
    }

    @Override
    public EventLoopGroup onClient(boolean useNative) {
        return loops.onClient(useNative);
    }

    @Override
    public EventLoopGroup onServer(boolean useNative) {
        return loops.onServer(useNative);
    }

    @Override
    public EventLoopGroup onServerSelect(boolean useNative) {
        return loops.onServerSelect(useNative);
    }

    @Override
    public boolean daemon() {
        return loops.daemon();
    }

    @Override
    public void dispose() {
        loops.dispose();
    }

    @Override
    public Mono<Void> disposeLater(Duration quietPeriod, Duration timeout) {
        return loops.disposeLater(quietPeriod, timeout);
    }
}
