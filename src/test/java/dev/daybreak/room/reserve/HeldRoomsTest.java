package dev.daybreak.room.reserve;

import static dev.daybreak.room.reserve.Lodger.PATIENCE;
import static dev.daybreak.room.reserve.Lodger.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.platform.password.Passwords;
import dev.daybreak.room.HeldRanges;
import dev.daybreak.room.RoomSettings;
import dev.daybreak.room.RoomTimes;
import dev.daybreak.room.TimeRange;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Mono;

/** What somebody holds keeps others off, and only as long as it is known. */
@DaybreakTest
class HeldRoomsTest {

    @Autowired
    ApplicationContext service;

    @Autowired
    Ledger ledger;

    @Autowired
    Passwords passwords;

    @Autowired
    RoomTimes times;

    @Autowired
    Changes changes;

    @Autowired
    RoomSettings settings;

    Lodger lodger;
    long room;
    final List<String> consumed = new CopyOnWriteArrayList<>();
    final List<TimeRange> claimed = new CopyOnWriteArrayList<>();

    @BeforeEach
    void aRoom() {
        lodger = new Lodger(Clinic.at(service));
        room = lodger.room();
    }

    @AfterEach
    void everyClaimIsLetGo() {
        Awaitility.await().atMost(PATIENCE).until(claimed::isEmpty);
    }

    /** Ten to eleven is held by the owner of the token "mine". */
    private final HeldRanges held = new HeldRanges() {

        @Override
        public Mono<Boolean> heldByAnother(long roomId, TimeRange range, @Nullable String token) {
            boolean held = range.overlaps(new TimeRange(at("10:00"), at("11:00"))) && !"mine".equals(token);
            if (!held) {
                claimed.add(range);
            }
            return Mono.just(held);
        }

        @Override
        public Mono<Void> letGo(long roomId, TimeRange range) {
            return Mono.fromRunnable(() -> claimed.remove(range));
        }

        @Override
        public Mono<Void> consume(long roomId, String token) {
            return Mono.fromRunnable(() -> consumed.add(token));
        }
    };

    private Outcome reserve(HeldRanges held, String from, String to, @Nullable String token) {
        return claim(
                held, new Claim.Reserve(room, new TimeRange(at(from), at(to)), "Choir", Lodger.PASSWORD, null, token));
    }

    private Outcome claim(HeldRanges held, Claim claim) {
        var serving = new Serving(ledger, held, passwords, times, changes);
        var queues = new RoomQueues<Claim, Outcome>(settings, Claim.Move.class::isInstance, serving::serve);
        return queues.submit(room, claim).block(PATIENCE);
    }

    @Test
    void othersAreKeptOffAndTheOwnerIsNot() {
        assertThat(reserve(held, "10:30", "11:30", null)).isEqualTo(Outcome.Refused.HOLD_CONFLICT);
        assertThat(reserve(held, "09:00", "10:15", "another")).isEqualTo(Outcome.Refused.HOLD_CONFLICT);
        assertThat(reserve(held, "09:00", "10:00", null)).isInstanceOf(Outcome.Reserved.class);
        assertThat(consumed).isEmpty();

        assertThat(reserve(held, "10:00", "11:00", "mine")).isInstanceOf(Outcome.Reserved.class);
        assertThat(consumed).containsExactly("mine");
    }

    @Test
    void aMoveIsKeptOffToo() {
        long id = ((Outcome.Reserved) reserve(held, "09:00", "10:00", null))
                .reservation()
                .id();
        var there = new TimeRange(at("10:00"), at("10:30"));

        assertThat(claim(held, new Claim.Move(id, room, there, null))).isEqualTo(Outcome.Refused.HOLD_CONFLICT);
        assertThat(claim(held, new Claim.Move(id, room, there, "mine"))).isInstanceOf(Outcome.Moved.class);
    }

    @Test
    void whatIsReservedIsReservedAlsoForWhoeverHoldsIt() {
        reserve(held, "10:00", "11:00", "mine");

        assertThat(reserve(held, "10:00", "11:00", "mine")).isEqualTo(Outcome.Refused.RESERVATION_CONFLICT);
    }

    @Test
    void holdsThatCannotBeAskedForKeepNobodyOff() {
        var broken = new HeldRanges() {

            @Override
            public Mono<Boolean> heldByAnother(long roomId, TimeRange range, @Nullable String token) {
                return Mono.error(new IllegalStateException("away"));
            }

            @Override
            public Mono<Void> letGo(long roomId, TimeRange range) {
                return Mono.error(new IllegalStateException("away"));
            }

            @Override
            public Mono<Void> consume(long roomId, String token) {
                return Mono.error(new IllegalStateException("away"));
            }
        };

        assertThat(reserve(broken, "10:00", "11:00", "mine")).isInstanceOf(Outcome.Reserved.class);
    }
}
