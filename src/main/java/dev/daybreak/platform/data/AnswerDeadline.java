package dev.daybreak.platform.data;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection on which PostgreSQL owes an answer and has said nothing for longer than it may take for one. PostgreSQL
 * ends every statement in time by itself, so then it is frozen, or the way to it is broken without anybody having been told: a host
 * that lost its power, a firewall that forgot the connection. TCP alone would notice after a quarter of an hour, and a lane
 * of the batcher would wait for it all that time.
 *
 * <p>The statement fails as it does when the server dies. It is not cancelled, and nobody gets this connection again.
 */
final class AnswerDeadline extends ChannelDuplexHandler {

    // What an answer ends with: the message ReadyForQuery, 'Z', its length 5, and the state of the transaction.
    private static final long READY = 0x5A_00_00_00_05L;
    private static final int READY_LENGTH = 6;
    private static final long TAIL = (1L << 8 * READY_LENGTH) - 1;

    private final long limit;
    private final LongSupplier nanoTime;
    private boolean owed;
    private long latest; // sign of life, or the question
    private long tail; // the last bytes of what was read
    private @Nullable Future<?> look;

    AnswerDeadline(Duration limit, LongSupplier nanoTime) {
        this.limit = limit.toNanos();
        this.nanoTime = nanoTime;
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        if (!owed) {
            owed = true;
            latest = nanoTime.getAsLong();
            if (look == null) {
                lookIn(context, limit);
            }
        }
        context.flush();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (owed && message instanceof ByteBuf bytes) {
            latest = nanoTime.getAsLong();
            for (int i = Math.max(bytes.readerIndex(), bytes.writerIndex() - READY_LENGTH);
                    i < bytes.writerIndex();
                    i++) {
                tail = (tail << 8 | bytes.getUnsignedByte(i)) & TAIL;
            }
            owed = tail >> 8 != READY;
        }
        context.fireChannelRead(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (look != null) {
            look.cancel(false);
        }
        context.fireChannelInactive();
    }

    private void lookIn(ChannelHandlerContext context, long nanos) {
        look = context.executor().schedule(() -> look(context), nanos, TimeUnit.NANOSECONDS);
    }

    // Looks once in a while, and not for every statement.
    private void look(ChannelHandlerContext context) {
        look = null;
        long left = limit - (nanoTime.getAsLong() - latest);
        if (!owed) {
            return;
        }
        if (left > 0) {
            lookIn(context, left);
            return;
        }
        context.fireExceptionCaught(new R2dbcNonTransientResourceException("PostgreSQL owes an answer and is silent"));
        context.close();
    }
}
