package dev.daybreak.admission;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The gate before booking.
 *
 * @param attempts bookings a patient may try within the window, retries included
 * @param window how long attempts are counted together
 * @param markLife how long a slot stays marked as full at most
 * @param recheck how often one request for a slot marked as full is let through to the database all the same, on each
 *     instance; the longest a mark can be wrong for somebody who keeps asking
 */
@ConfigurationProperties("daybreak.admission")
record AdmissionSettings(
        @DefaultValue("5") int attempts,
        @DefaultValue("10s") Duration window,
        @DefaultValue("30s") Duration markLife,
        @DefaultValue("1s") Duration recheck) {

    AdmissionSettings {
        Assert.isTrue(attempts >= 1, "daybreak.admission.attempts must be positive");
        Assert.isTrue(window.toMillis() >= 1, "daybreak.admission.window must be 1ms or more");
        Assert.isTrue(markLife.toMillis() >= 1, "daybreak.admission.mark-life must be 1ms or more");
        Assert.isTrue(!recheck.isNegative(), "daybreak.admission.recheck must not be negative");
    }
}
