package dev.daybreak.admin;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The regular audit of the invariants.
 *
 * @param interval from the end of one audit of the latest changes to the next; 0 for none
 * @param fullInterval the same for all rows, which takes minutes once there are tens of millions; 0 for none but those asked for
 * @param events how many events the latest changes are
 */
@ConfigurationProperties("daybreak.audit")
record AuditSettings(
        @DefaultValue("1m") Duration interval,
        @DefaultValue("24h") Duration fullInterval,
        @DefaultValue("10000") int events) {

    AuditSettings {
        Assert.isTrue(!interval.isNegative(), "daybreak.audit.interval must not be negative");
        Assert.isTrue(!fullInterval.isNegative(), "daybreak.audit.full-interval must not be negative");
        Assert.isTrue(events > 0, "daybreak.audit.events must be positive");
    }
}
