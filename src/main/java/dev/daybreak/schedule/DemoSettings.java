package dev.daybreak.schedule;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of the demonstration.
 *
 * @param enabled whether an empty database gets demo doctors and rooms; unset, only the embedded one does
 */
@ConfigurationProperties("daybreak.demo")
record DemoSettings(@Nullable Boolean enabled) {

    /** Whether demo data is wanted in the database, which is the embedded one or not. */
    boolean enabledOn(boolean embedded) {
        return enabled == null ? embedded : enabled;
    }
}
