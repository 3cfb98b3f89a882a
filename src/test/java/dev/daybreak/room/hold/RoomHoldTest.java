package dev.daybreak.room.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import dev.daybreak.TestServers;
import dev.daybreak.room.HeldRanges;
import dev.daybreak.room.LentRoom;
import dev.daybreak.room.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.http.HttpMethod;
import org.springframework.test.context.TestPropertySource;

/** A room that is held while somebody fills in the form. */
@DaybreakTest
@TestPropertySource(properties = "spring.data.redis.timeout=5s") // on a busy machine too
class RoomHoldTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LIFE = Duration.ofMinutes(5);
    private static final Instant NINE =
            Instant.now().plus(2, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS).plus(9, ChronoUnit.HOURS);
    private static final Instant TEN = NINE.plus(1, ChronoUnit.HOURS);
    private static final Instant ELEVEN = TEN.plus(1, ChronoUnit.HOURS);
    private static final Instant TWELVE = ELEVEN.plus(1, ChronoUnit.HOURS);

    @Autowired
    ApplicationContext instance;

    @Autowired
    MutableClock clock;

    @Autowired
    ReactiveStringRedisTemplate redis;

    @Autowired
    HeldRanges held;

    Clinic clinic;
    LentRoom room;

    @BeforeEach
    void openARoom() {
        clinic = new Clinic(instance);
        room = LentRoom.of(clinic);
        clock.set(Instant.now().truncatedTo(ChronoUnit.MILLIS));
    }

    @AfterEach
    void goOn() {
        clock.reset();
    }

    @Test
    void saysForHowLongAndHowToKeepIt() {
        Answer hold = room.hold(NINE, TEN);

        assertThat(hold.status().value()).isEqualTo(201);
        assertThat(hold.body())
                .containsEntry("roomId", (int) room.id())
                .containsEntry("startAt", NINE.toString())
                .containsEntry("endAt", TEN.toString())
                .containsEntry("expiresAt", clock.instant().plus(LIFE).toString());
        assertThat(hold.headers()).containsEntry("Location", "/api/rooms/" + room.id() + "/holds/" + hold.id());
        assertThat(hold.token()).isNotBlank();
    }

    @Test
    void nobodyElseCanHoldOrReserveAnyOfItMeanwhile() {
        Answer hold = room.hold(NINE, ELEVEN);

        for (Instant[] range : new Instant[][] {{NINE, ELEVEN}, {TEN, TWELVE}, {NINE, TEN}}) {
            assertThat(room.hold(range[0], range[1]).code()).isEqualTo("HOLD_CONFLICT");
            Answer refused = room.reserve(range[0], range[1], null);
            assertThat(refused.status().value()).isEqualTo(409);
            assertThat(refused.code()).isEqualTo("HOLD_CONFLICT");
        }
        assertThat(room.hold(ELEVEN, TWELVE).is(201)).isTrue();
        assertThat(LentRoom.of(clinic).hold(NINE, ELEVEN).is(201)).isTrue();
        assertThat(room.extend(hold).is(200)).isTrue();
    }

    @Test
    void holdsAllOfARangeOrNothing() {
        room.hold(TEN, ELEVEN);

        assertThat(room.hold(NINE, TWELVE).code()).isEqualTo("HOLD_CONFLICT");

        assertThat(room.hold(NINE, TEN).is(201)).isTrue();
        assertThat(room.hold(ELEVEN, TWELVE).is(201)).isTrue();
    }

    @Test
    void becomesAReservationByItsToken() {
        Answer hold = room.hold(NINE, TEN);

        Answer reserved = room.reserve(NINE, TEN, hold.token());

        assertThat(reserved.status().value()).isEqualTo(201);
        assertThat(room.extend(hold).code()).isEqualTo("HOLD_NOT_FOUND");
        assertThat(room.hold(NINE, TEN).code()).isEqualTo("RESERVATION_CONFLICT");
        assertThat(room.cancel(reserved).is(204)).isTrue();
        assertThat(room.hold(NINE, TEN).is(201)).isTrue();
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void anExpiredTokenReservesAsNoTokenDoes() {
        Answer hold = room.hold(NINE, TEN);
        clock.advance(LIFE);
        assertThat(room.reserve(NINE, TEN, hold.token()).is(201)).isTrue();

        Answer late = room.hold(TEN, ELEVEN);
        clock.advance(LIFE);
        assertThat(room.hold(TEN, ELEVEN).is(201)).isTrue();
        assertThat(room.reserve(TEN, ELEVEN, late.token()).code()).isEqualTo("HOLD_CONFLICT");
    }

    @Test
    void isInNobodysWayOnceItHasExpired() {
        Answer hold = room.hold(NINE, TEN);
        clock.advance(LIFE.minusMillis(1));
        assertThat(room.hold(NINE, TEN).code()).isEqualTo("HOLD_CONFLICT");

        clock.advance(Duration.ofMillis(1));
        assertThat(room.extend(hold).code()).isEqualTo("HOLD_NOT_FOUND");
        assertThat(room.release(hold).code()).isEqualTo("HOLD_NOT_FOUND");
        Answer other = room.hold(NINE, TEN);
        assertThat(other.is(201)).isTrue();

        assertThat(room.extend(hold).code()).isEqualTo("HOLD_NOT_FOUND");
        assertThat(room.release(hold).code()).isEqualTo("HOLD_NOT_FOUND");
        assertThat(room.extend(other).is(200)).isTrue();
    }

    @Test
    void lastsLongerWhenItIsExtendedButNotBeyondTheCap() {
        Answer hold = room.hold(NINE, TEN);
        Instant made = clock.instant();
        clock.advance(Duration.ofMinutes(4));
        assertThat(room.extend(hold).body())
                .containsEntry("expiresAt", clock.instant().plus(LIFE).toString())
                .doesNotContainKey("token");
        clock.advance(Duration.ofMinutes(4));
        assertThat(room.hold(NINE, TEN).code()).isEqualTo("HOLD_CONFLICT");
        room.extend(hold);
        clock.advance(Duration.ofMinutes(4));
        assertThat(room.extend(hold).body())
                .containsEntry("expiresAt", made.plus(Duration.ofMinutes(15)).toString());

        Answer refused = room.extend(hold);
        assertThat(refused.status().value()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("HOLD_LIMIT");
        assertThat(refused.body())
                .containsEntry("expiresAt", made.plus(Duration.ofMinutes(15)).toString());
        clock.set(made.plus(Duration.ofMinutes(15)));
        assertThat(room.hold(NINE, TEN).is(201)).isTrue();
    }

    @Test
    void givesTheRoomBackAtOnceAndOnce() {
        Answer hold = room.hold(NINE, TEN);

        assertThat(room.release(hold).is(204)).isTrue();
        Answer other = room.hold(NINE, TEN);
        assertThat(other.is(201)).isTrue();
        assertThat(room.release(hold).code()).isEqualTo("HOLD_NOT_FOUND");
        assertThat(room.hold(NINE, TEN).code()).isEqualTo("HOLD_CONFLICT");
    }

    @Test
    void obeysNobodyWithoutItsToken() {
        Answer hold = room.hold(NINE, TEN);
        Answer other = room.hold(TEN, ELEVEN);

        for (String token : new String[] {null, "nonsense", hold.id() + ".guessed", other.token()}) {
            assertThat(room.extend(hold.id(), token).status().value()).isEqualTo(403);
            assertThat(room.release(hold.id(), token).code()).isEqualTo("HOLD_FORBIDDEN");
            assertThat(room.reserve(NINE, TEN, token).is(201)).isFalse();
        }
        assertThat(LentRoom.of(clinic).extend(hold.id(), hold.token()).code()).isEqualTo("HOLD_NOT_FOUND");
        assertThat(room.extend(1, hold.token()).code()).isEqualTo("HOLD_NOT_FOUND");
        assertThat(room.hold(NINE, TEN).code()).isEqualTo("HOLD_CONFLICT");
        assertThat(room.extend(hold).is(200)).isTrue();
    }

    @Test
    void keepsNoTokenInClear() {
        Answer hold = room.hold(NINE, TEN);
        String secret = hold.token().substring(hold.token().indexOf('.') + 1);

        List<String> stored = Objects.requireNonNull(redis.keys("{room:" + room.id() + "}:*")
                .flatMap(key -> redis.type(key).flatMap(type -> switch (type) {
                    case HASH -> redis.opsForHash().entries(key).collectList().map(Object::toString);
                    case ZSET ->
                        redis.opsForZSet()
                                .range(key, org.springframework.data.domain.Range.unbounded())
                                .collectList()
                                .map(Object::toString);
                    default -> redis.opsForValue().get(key);
                }))
                .collectList()
                .block(PATIENCE));

        assertThat(stored).hasSizeGreaterThan(4).noneMatch(value -> value.contains(secret));
    }

    @Test
    void leavesNothingBehind() {
        room.release(room.hold(NINE, TEN));

        assertThat(redis.keys("{room:" + room.id() + "}:*").collectList().block(PATIENCE))
                .allMatch(key -> key.contains(":turns:"));
        Answer hold = room.hold(NINE, TEN);
        assertThat(hold.is(201)).isTrue();
        assertThat(Objects.requireNonNull(
                        redis.keys("{room:" + room.id() + "}:*").collectList().block(PATIENCE)))
                .allSatisfy(
                        key -> assertThat(redis.getExpire(key).block(PATIENCE)).isPositive());
    }

    @Test
    void namesWhatIsWrong() {
        assertThat(at(99_999_999L, NINE.toString(), TEN.toString()).code()).isEqualTo("ROOM_NOT_FOUND");
        for (String[] wrong : new String[][] {
            {"2026-10-12T09:00:00", TEN.toString()},
            {TEN.toString(), NINE.toString()},
            {NINE.plusSeconds(60).toString(), TEN.toString()},
            {NINE.toString(), NINE.plus(Duration.ofDays(8)).toString()},
            {
                NINE.plus(Duration.ofDays(900)).toString(),
                TEN.plus(Duration.ofDays(900)).toString()
            },
            {
                NINE.minus(Duration.ofDays(90)).toString(),
                TEN.minus(Duration.ofDays(90)).toString()
            }
        }) {
            Answer refused = at(room.id(), wrong[0], wrong[1]);
            assertThat(refused.code()).isEqualTo("VALIDATION_FAILED");
            assertThat(refused.body().get("violations").toString()).containsAnyOf("startAt", "endAt");
        }
        assertThat(clinic.send(HttpMethod.POST, "/api/rooms/x/holds", Map.of(), Map.of())
                        .is(400))
                .isTrue();
        assertThat(clinic.send(HttpMethod.PUT, "/api/rooms/" + room.id() + "/holds/x", Map.of(), null)
                        .is(400))
                .isTrue();
    }

    private Answer at(long id, String start, String end) {
        return clinic.send(
                HttpMethod.POST, "/api/rooms/" + id + "/holds", Map.of(), Map.of("startAt", start, "endAt", end));
    }

    @Test
    void aRoomThatTakesNoReservationsCannotBeHeld() {
        clinic.execute("UPDATE room SET active = false WHERE id = " + room.id());

        assertThat(room.hold(NINE, TEN).code()).isEqualTo("ROOM_CLOSED");
    }

    @Test
    void aReservationBeingMadeKeepsHoldsAwayButNoOtherReservation() {
        var range = new TimeRange(NINE, TEN);
        assertThat(claim(range)).isFalse();
        assertThat(claim(range)).isFalse();

        assertThat(room.hold(NINE.minusSeconds(3600), TEN).code()).isEqualTo("HOLD_CONFLICT");
        assertThat(room.hold(TEN, ELEVEN).is(201)).isTrue();
        held.letGo(room.id(), range).block(PATIENCE);
        assertThat(room.hold(NINE, TEN).code()).isEqualTo("HOLD_CONFLICT");
        held.letGo(room.id(), range).block(PATIENCE);
        assertThat(room.hold(NINE, TEN).is(201)).isTrue();
        assertThat(claim(range)).isTrue();
    }

    @Test
    void aReservationThatWasNeverFinishedKeepsHoldsAwayForAMomentOnly() {
        assertThat(claim(new TimeRange(NINE, TEN))).isFalse();
        clock.advance(Duration.ofSeconds(14));
        assertThat(room.hold(NINE, TEN).code()).isEqualTo("HOLD_CONFLICT");
        clock.advance(Duration.ofSeconds(1));
        assertThat(room.hold(NINE, TEN).is(201)).isTrue();
    }

    @Test
    void withoutTheClaimAHoldWouldSlipInBetweenLookAndCommitAndBeRefusedAtTheEnd() {
        assertThat(claim(new TimeRange(NINE, TEN))).isFalse();
        held.letGo(room.id(), new TimeRange(NINE, TEN)).block(PATIENCE);
        Answer hold = room.hold(NINE, TEN);
        clinic.execute("""
                INSERT INTO reservation (room_id, start_at, end_at, name, password_hash, created_at)
                VALUES (%d, '%s', '%s', 'Sneak', '', '%s')""".formatted(room.id(), NINE, TEN, clock.instant()));

        assertThat(hold.is(201)).isTrue();
        assertThat(room.extend(hold).is(200)).isTrue();
        assertThat(room.reserve(NINE, TEN, hold.token()).code()).isEqualTo("RESERVATION_CONFLICT");

        clinic.execute("DELETE FROM reservation WHERE name = 'Sneak' AND room_id = " + room.id());
    }

    private boolean claim(TimeRange range) {
        return Objects.requireNonNull(held.heldByAnother(room.id(), range, null).block(PATIENCE));
    }

    @Test
    void oneAddressHoldsSoMuchAndNoMore() {
        try (ConfigurableApplicationContext strict = TestServers.anotherInstance(
                instance, "daybreak.rooms.holds.at-once=2", "daybreak.rooms.holds.a-day=3")) {
            clock.reset();
            redis.delete("room-holds:of:127.0.0.1").block(PATIENCE);
            LentRoom here = room.at(Clinic.at(strict));
            LentRoom other = LentRoom.of(Clinic.at(strict));
            Answer first = here.hold(NINE, TEN);
            Answer second = other.hold(NINE, TEN);

            Answer third = here.hold(TEN, ELEVEN);
            assertThat(third.status().value()).isEqualTo(429);
            assertThat(third.code()).isEqualTo("RATE_LIMITED");
            assertThat(Integer.parseInt(third.headers().get("Retry-After"))).isBetween(200, 300);

            here.release(first);
            assertThat(here.reserve(TEN, ELEVEN, null).is(201)).isTrue();
            Answer again = here.hold(NINE, TEN);
            assertThat(here.reserve(NINE, TEN, again.token()).is(201)).isTrue();
            // Of this room, one was let go, and one that became a reservation does not count.
            Stream.of(1, 2).forEach(i -> here.release(here.hold(ELEVEN, TWELVE)));
            Answer tooOften = here.hold(ELEVEN, TWELVE);
            assertThat(tooOften.code()).isEqualTo("RATE_LIMITED");
            assertThat(Integer.parseInt(tooOften.headers().get("Retry-After"))).isGreaterThan(86_000);
            assertThat(other.release(second).is(204)).isTrue();
            assertThat(other.hold(TEN, ELEVEN).is(201)).isTrue();
        }
    }
}
