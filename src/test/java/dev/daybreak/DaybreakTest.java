package dev.daybreak;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/**
 * The whole service on a free port, on real servers ({@link TestServers}), with a clock that can be set. Patients may try
 * as often as they like and hold as many rooms; what limits them is tested by itself. Passwords are hashed as cheaply as bcrypt can.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "daybreak.admission.attempts=" + DaybreakTest.ATTEMPTS,
            "daybreak.rooms.holds.at-once=" + DaybreakTest.ATTEMPTS,
            "daybreak.rooms.holds.a-day=" + DaybreakTest.ATTEMPTS,
            "daybreak.rooms.password-attempts=" + DaybreakTest.ATTEMPTS,
            "daybreak.rooms.hash-strength=4"
        })
@Import({TestServers.class, TestClock.class})
public @interface DaybreakTest {

    int ATTEMPTS = 1_000_000;
}
