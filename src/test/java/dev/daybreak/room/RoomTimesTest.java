package dev.daybreak.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.daybreak.MutableClock;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.problem.Violation;
import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.ClinicSettings;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.mock.web.reactive.function.server.MockServerRequest;

class RoomTimesTest {

    static final ClinicSettings CLINIC = new ClinicSettings(ZoneId.of("Europe/Berlin"), LocalTime.of(7, 0), 14);

    final MutableClock clock = new MutableClock();

    private static RoomSettings settings(String... properties) {
        Map<String, String> map = new HashMap<>();
        for (String property : properties) {
            map.put("daybreak.rooms." + property.split("=")[0], property.split("=")[1]);
        }
        return new Binder(new MapConfigurationPropertySource(map)).bindOrCreate("daybreak.rooms", RoomSettings.class);
    }

    /** The rule that is broken, or "ok". */
    private String judged(RoomSettings settings, String from, String to) {
        Input input = Input.query(MockServerRequest.builder()
                .queryParam("startAt", from)
                .queryParam("endAt", to)
                .build());
        new RoomTimes(settings, CLINIC, clock).read(input);
        Refusal refusal = catchThrowableOfType(Refusal.class, input::complete);
        if (refusal == null) {
            return "ok";
        }
        List<Violation> violations = refusal.problem().violations();
        assertThat(violations).hasSize(1);
        return violations.getFirst().field() + " " + violations.getFirst().rule();
    }

    @ParameterizedTest
    @CsvSource({
        "2026-05-04T21:59:00Z, 2026-05-04T23:45:00+02:00, 2026-05-05T00:15:00+02:00, ok",
        "2026-05-04T21:59:59Z, 2026-05-05T00:00:00+02:00, 2026-05-05T01:00:00+02:00, startAt not-after",
        "2026-05-04T22:00:00Z, 2026-05-05T00:00:00+02:00, 2026-05-05T01:00:00+02:00, ok",
        "2026-05-04T22:00:00Z, 2026-05-04T23:45:00+02:00, 2026-05-05T01:00:00+02:00, startAt not-past"
    })
    void todayEndsAtTheClinicsMidnight(Instant now, String from, String to, String verdict) {
        clock.set(now);

        assertThat(judged(settings("days-ahead=0"), from, to)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "08:00, 18:00, 2026-05-04T08:00:00+02:00, 2026-05-04T18:00:00+02:00, ok",
        "08:00, 18:00, 2026-05-04T07:45:00+02:00, 2026-05-04T09:00:00+02:00, startAt opening-hours",
        "08:00, 18:00, 2026-05-04T17:00:00+02:00, 2026-05-04T18:15:00+02:00, endAt opening-hours",
        "08:00, 18:00, 2026-05-04T18:00:00+02:00, 2026-05-04T18:15:00+02:00, startAt opening-hours",
        "08:00, 00:00, 2026-05-04T23:00:00+02:00, 2026-05-05T00:00:00+02:00, ok",
        "08:00, 00:00, 2026-05-04T23:00:00+02:00, 2026-05-05T00:15:00+02:00, endAt opening-hours",
        "20:00, 04:00, 2026-05-04T23:00:00+02:00, 2026-05-05T04:00:00+02:00, ok",
        "20:00, 04:00, 2026-05-05T01:00:00+02:00, 2026-05-05T02:00:00+02:00, ok",
        "20:00, 04:00, 2026-05-05T03:00:00+02:00, 2026-05-05T05:00:00+02:00, endAt opening-hours",
        "00:00, 00:00, 2026-05-04T22:00:00+02:00, 2026-05-05T06:00:00+02:00, ok",
        "06:00, 06:00, 2026-05-05T05:00:00+02:00, 2026-05-05T07:00:00+02:00, ok"
    })
    void theHoursMayCrossMidnight(String opens, String closes, String from, String to, String verdict) {
        clock.set(Instant.parse("2026-05-04T05:00:00Z"));

        assertThat(judged(settings("opens=" + opens, "closes=" + closes), from, to))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-28T12:00:00Z, 2026-03-29T01:00:00+01:00, 2026-03-29T03:00:00+02:00, ok",
        "2026-10-24T12:00:00Z, 2026-10-25T02:00:00+02:00, 2026-10-25T02:00:00+01:00, ok",
        "2026-10-24T12:00:00Z, 2026-10-25T02:30:00+02:00, 2026-10-25T03:30:00+01:00, ok",
        "2026-10-24T12:00:00Z, 2026-10-25T02:20:00+02:00, 2026-10-25T03:30:00+01:00, startAt grid"
    })
    void theGridIsOnTheWallWhereTheClocksChange(Instant now, String from, String to, String verdict) {
        clock.set(now);

        assertThat(judged(settings("grid=30m"), from, to)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"2026-05-04T07:14:59.999999Z, ok", "2026-05-04T07:15:00Z, startAt not-past", "2026-05-04T07:00:00Z, ok"
    })
    void whatHasBegunCanBeHadWhileItsFirstStepLasts(Instant now, String verdict) {
        clock.set(now);

        assertThat(judged(settings(), "2026-05-04T07:00:00Z", "2026-05-04T08:00:00Z"))
                .isEqualTo(verdict);
    }

    @Test
    void secondsAreNoneOfTheGrids() {
        clock.set(Instant.parse("2026-05-04T05:00:00Z"));

        assertThat(judged(settings(), "2026-05-04T07:00:00.5Z", "2026-05-04T08:00:00Z"))
                .isEqualTo("startAt grid");
        assertThat(judged(settings(), "2026-05-04T07:00:00Z", "2026-05-04T08:00:01Z"))
                .isEqualTo("endAt grid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "days-ahead=-1",
                "days-ahead=366",
                "grid=0m",
                "grid=7m",
                "grid=90s",
                "opens=08:10",
                "closes=24:00",
                "longest-stay=5m",
                "longest-stay=8d",
                "longest-wait=0ms",
                "queue-capacity=0",
                "connections=0",
                "hashing=-1",
                "hashing-queue=0",
                "hash-strength=3",
                "password-attempts=0",
                "password-window=0s"
            })
    void aWrongSettingEndsTheStart(String property) {
        assertThatThrownBy(() -> settings(property)).isInstanceOf(Exception.class);
    }
}
