package dev.daybreak.schedule;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of the demonstration.
 *
 * @param enabled whether an empty database gets demo doctors; unset, only the embedded one does
 */
@ConfigurationProperties("daybreak.demo")
record DemoSettings(@Nullable Boolean enabled) {

    boolean enabledOn(boolean embedded) {
        return enabled == null ? embedded : enabled;
    }
}
