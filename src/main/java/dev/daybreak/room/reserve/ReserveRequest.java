package dev.daybreak.room.reserve;

import dev.daybreak.platform.password.Passwords;
import dev.daybreak.platform.web.Input;
import dev.daybreak.room.RoomTimes;
import dev.daybreak.room.TimeRange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;

/** The body of a reservation, for the description of the API; and how it is read. */
record ReserveRequest(
        Instant startAt,
        Instant endAt,
        String name,
        String password,
        @Nullable String holdToken) {

    static final String EXAMPLE = """
            {"startAt": "2026-10-12T09:00:00+02:00", "endAt": "2026-10-12T10:30:00+02:00", "name": "Book club", "password": "red door 7"}""";

    static final String KEY_HEADER = "Idempotency-Key";
    static final String PASSWORD_HEADER = "Reservation-Password";

    static final int MAX_NAME = 100;
    private static final int MAX_KEY = 64;
    private static final int MAX_TOKEN = 200;

    static Claim.Reserve read(Input input, long roomId, RoomTimes times, @Nullable String key) {
        TimeRange range = times.read(input);
        var claim =
                new Claim.Reserve(roomId, range, input.text("name", MAX_NAME), password(input), key, holdToken(input));
        input.complete();
        return claim;
    }

    /** The key, if one was sent; throws a refusal that says what is wrong with it. */
    static @Nullable String key(ServerRequest request) {
        Input headers = Input.headers(request, KEY_HEADER);
        String key = headers.optionalText(KEY_HEADER, MAX_KEY);
        headers.check(key == null || key.chars().allMatch(c -> c > ' ' && c < 127), KEY_HEADER, "idempotency-key");
        headers.complete();
        return key;
    }

    /** A password that is being chosen, or one to search with. */
    static String password(Input input) {
        String password = input.text("password", Passwords.MAX_LENGTH);
        input.check(
                !input.isSound("password") || Passwords.isValid(password),
                "password",
                "password",
                Passwords.MIN_LENGTH,
                Passwords.MAX_LENGTH);
        return password;
    }

    /** The password that was sent to show whose reservation it is; one that cannot be right if none was sent. */
    static String sentPassword(ServerRequest request) {
        String sent = request.headers().firstHeader(PASSWORD_HEADER);
        return sent == null ? "" : sent.strip();
    }

    static @Nullable String holdToken(Input input) {
        return input.optionalText("holdToken", MAX_TOKEN);
    }
}
