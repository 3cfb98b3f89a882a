package dev.daybreak.platform.server;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.server.Connections.Ended;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection within the limits, between the HTTP codec and what answers requests. Its fields belong to the event loop; what
 * {@link #check} needs to see from outside is published by writing {@code since}.
 */
final class RequestGuard extends ChannelDuplexHandler {

    // HTTP allows to send requests without awaiting answers; browsers do not, and who does sends a few.
    private static final int MOST_AHEAD = 32;

    private final Connections connections;
    private final RawProblems problems;
    private final Channel channel;

    private Phase phase = Phase.IDLE;
    private volatile long since = System.nanoTime();

    private boolean turnedAway;
    private int unanswered;
    private boolean answering;
    private long uploaded;
    private @Nullable HttpRequest request;

    // Of the watch alone.
    private long unsent;
    private long unsentSince;

    private enum Phase {
        IDLE,
        READING,
        ANSWERING
    }

    RequestGuard(Connections connections, RawProblems problems, Channel channel) {
        this.connections = connections;
        this.problems = problems;
        this.channel = channel;
        this.turnedAway = !connections.admit(this);
        channel.closeFuture().addListener(closed -> connections.forget(this));
    }

    /** Belongs before the HTTP codec: a request begins with its first byte, which the codec keeps to itself. */
    ChannelHandler firstByte() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                if (phase == Phase.IDLE) {
                    enter(Phase.READING);
                }
                context.fireChannelRead(message);
            }
        };
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (turnedAway) {
            refuse(context, Problem.of(ProblemCode.BUSY).retryAfter(Duration.ofSeconds(1)), Ended.FULL);
        }
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (turnedAway) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest begun && !begins(context, begun)
                || message instanceof HttpContent content && !goesOn(content)) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof LastHttpContent) {
            uploaded = 0;
            enter(unanswered > 0 ? Phase.ANSWERING : Phase.IDLE);
        }
        context.fireChannelRead(message);
    }

    private boolean begins(ChannelHandlerContext context, HttpRequest begun) {
        unanswered++;
        if (unanswered > MOST_AHEAD) {
            close(Ended.LARGE);
            return false;
        }
        if (unanswered == 1) {
            request = begun;
        }
        if (begun.headers().size() > connections.settings().maxHeaders()) {
            refuse(context, Problem.of(ProblemCode.HEADERS_TOO_LARGE), Ended.LARGE);
            return false;
        }
        if (phase != Phase.READING) {
            enter(Phase.READING);
        }
        return true;
    }

    private boolean goesOn(HttpContent content) {
        uploaded += content.content().readableBytes();
        if (uploaded > connections.settings().maxUpload().toBytes()) {
            close(Ended.LARGE);
            return false;
        }
        return true;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (turnedAway) {
            ReferenceCountUtil.release(message);
            promise.tryFailure(new java.nio.channels.ClosedChannelException());
            return;
        }
        Object answer = message;
        if (message instanceof HttpResponse response) {
            if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
                context.write(message, promise);
                return;
            }
            answering = true;
            if (message instanceof FullHttpResponse bare) {
                answer = problems.explained(bare, request);
            }
        }
        if (message instanceof LastHttpContent) {
            answered();
        }
        context.write(answer, promise);
    }

    private void answered() {
        answering = false;
        unanswered = Math.max(0, unanswered - 1);
        if (unanswered == 0) {
            request = null;
            if (phase == Phase.ANSWERING) {
                enter(Phase.IDLE);
            }
        }
    }

    private void enter(Phase next) {
        phase = next;
        since = System.nanoTime();
    }

    /** Ends the connection if it is out of time. Called by the watch, from its own thread. */
    void check(long now, long idlePatience) {
        long began = since;
        long passed = now - began;
        ServerSettings settings = connections.settings();
        switch (phase) {
            case IDLE -> {
                if (passed > idlePatience) {
                    onLoop(began, () -> close(Ended.IDLE));
                }
            }
            case READING -> {
                if (passed > settings.requestTimeout().toNanos()) {
                    onLoop(began, this::tooSlow);
                }
            }
            case ANSWERING -> {
                if (isStalled(now, settings.stallTimeout().toNanos())) {
                    onLoop(began, () -> close(Ended.STALLED));
                }
            }
        }
    }

    /** Does it unless the connection has gone on in the meantime. */
    private void onLoop(long began, Runnable end) {
        channel.eventLoop().execute(() -> {
            if (since == began) {
                end.run();
            }
        });
    }

    private boolean isStalled(long now, long patience) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        long waiting = buffer == null ? 0 : buffer.totalPendingWriteBytes();
        if (waiting == 0 || waiting < unsent || unsent == 0) {
            unsentSince = now;
        }
        unsent = waiting;
        return waiting > 0 && now - unsentSince > patience;
    }

    private void tooSlow() {
        ChannelHandlerContext context = channel.pipeline().context(this);
        if (context == null || answering || unanswered > 1) {
            close(Ended.SLOW);
        } else {
            refuse(context, Problem.of(ProblemCode.REQUEST_TIMEOUT), Ended.SLOW);
        }
    }

    private void refuse(ChannelHandlerContext context, Problem problem, Ended why) {
        if (answering || unanswered > 1) {
            close(why);
            return;
        }
        connections.note(why);
        turnedAway = true;
        FullHttpResponse answer = problems.answer(problem, request);
        answer.headers().set(HttpHeaderNames.CONNECTION, "close");
        context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
    }

    private void close(Ended why) {
        connections.note(why);
        turnedAway = true;
        channel.close();
    }
}
