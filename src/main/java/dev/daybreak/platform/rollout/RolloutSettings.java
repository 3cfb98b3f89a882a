package dev.daybreak.platform.rollout;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * How an instance comes and goes.
 *
 * @param warmUp how long an instance may warm up before it is ready; 0 for not at all
 * @param drain how long an instance that is told to stop goes on serving while readiness says that it is not ready; longer than
 *     its load balancer takes to notice, 0 where there is none; shorter than a phase of the shutdown may take
 */
@ConfigurationProperties("daybreak.rollout")
record RolloutSettings(
        @DefaultValue("0s") Duration warmUp,
        @DefaultValue("0s") Duration drain) {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    RolloutSettings {
        check(warmUp, "warm-up");
        check(drain, "drain");
    }

    private static void check(Duration value, String name) {
        Assert.isTrue(
                !value.isNegative() && value.compareTo(LONGEST) <= 0,
                () -> "daybreak.rollout." + name + " must be from 0 to 60s");
    }
}
