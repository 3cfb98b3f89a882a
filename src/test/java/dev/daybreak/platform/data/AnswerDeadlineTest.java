package dev.daybreak.platform.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.TestServers;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Flux;

/** Ways to PostgreSQL that swallow everything without a word, as when a host loses its power. */
@DaybreakTest
class AnswerDeadlineTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String READY = "Z\0\0\0\5I";

    private final AtomicLong time = new AtomicLong();

    @Test
    void givesUpConnectionsThatOweAnAnswerAndBooksOverNewOnes(
            @Autowired ApplicationContext here, @Autowired R2dbcConnectionDetails postgres) {
        ConnectionFactoryOptions address = postgres.getConnectionFactoryOptions();
        try (var proxy = FaultyProxy.to((String) address.getRequiredValue(ConnectionFactoryOptions.HOST), (Integer)
                        address.getRequiredValue(ConnectionFactoryOptions.PORT));
                var service = TestServers.anotherInstance(
                        here,
                        "spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:%d/%s"
                                .formatted(proxy.port(), address.getRequiredValue(ConnectionFactoryOptions.DATABASE)),
                        "daybreak.database.statement-timeout=1s")) {
            Clinic clinic = Clinic.at(service);
            List<Long> slots = clinic.slots(4, 10);
            slots.forEach(slot -> assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey())
                            .is(201))
                    .isTrue());

            proxy.freezeConnections(); // and never thaw them: new ones work
            List<Answer> answers = Flux.merge(slots.stream()
                            .map(slot -> clinic.booking(slot, Clinic.newPatient(), Clinic.newKey()))
                            .toList())
                    .collectList()
                    .block(LIMIT);

            assertThat(answers)
                    .allMatch(answer -> answer.is(503) && answer.code().equals("UNAVAILABLE"));
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(slots)
                            .allMatch(slot -> clinic.booking(slot, Clinic.newPatient(), Clinic.newKey())
                                    .block(LIMIT)
                                    .is(201)));
        }
    }

    @Test
    void closesAConnectionThatOwesAnAnswerOrTheRestOfOne() {
        for (String heard : List.of("", "a row", "a row" + READY.substring(0, 3))) {
            EmbeddedChannel channel = channel();
            channel.writeOutbound("a question");
            read(channel, heard);

            pass(channel, Duration.ofMillis(900));
            assertThat(channel.isOpen()).isTrue();
            pass(channel, Duration.ofMillis(200));

            assertThat(channel.isOpen()).as("heard: " + heard).isFalse();
        }
    }

    @Test
    void waitsForAnAnswerThatComesInPieces() {
        EmbeddedChannel channel = channel();
        channel.writeOutbound("a question");
        for (String piece : List.of("a row", READY.substring(0, 2), READY.substring(2, 5), READY.substring(5))) {
            pass(channel, Duration.ofMillis(900));
            read(channel, piece);
        }

        pass(channel, Duration.ofHours(1));

        assertThat(channel.isOpen()).as("nothing is owed any more").isTrue();
        channel.writeOutbound("another question");
        pass(channel, Duration.ofMillis(1100));
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void leavesAConnectionAloneThatHasNothingToAnswer() {
        EmbeddedChannel channel = channel();

        read(channel, "a notice that nobody asked for");
        pass(channel, Duration.ofHours(1));

        assertThat(channel.isOpen()).isTrue();
    }

    private EmbeddedChannel channel() {
        return new EmbeddedChannel(
                new AnswerDeadline(Duration.ofSeconds(1), time::get), new ChannelInboundHandlerAdapter() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
                        assertThat(failure).isInstanceOf(R2dbcNonTransientResourceException.class);
                    }
                });
    }

    private void pass(EmbeddedChannel channel, Duration duration) {
        time.addAndGet(duration.toNanos());
        channel.advanceTimeBy(duration.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    private static void read(EmbeddedChannel channel, String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }
}
