package dev.daybreak.admin;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The regular audit of the invariants.
 *
 * @param interval from the end of one audit to the next; 0 for none but those asked for
 */
@ConfigurationProperties("daybreak.audit")
record AuditSettings(@DefaultValue("15m") Duration interval) {

    AuditSettings {
        Assert.isTrue(!interval.isNegative(), "daybreak.audit.interval must not be negative");
    }
}
