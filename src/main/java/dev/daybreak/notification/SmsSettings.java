package dev.daybreak.notification;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The gateway for text messages.
 *
 * @param url where messages are posted; unset: none are sent
 * @param timeout how long the gateway may take for one
 */
@ConfigurationProperties("daybreak.sms")
record SmsSettings(@Nullable URI url, @DefaultValue("10s") Duration timeout) {

    SmsSettings {
        Assert.isTrue(
                url == null || url.getHost() != null && url.toString().matches("https?://.*"),
                "daybreak.sms.url must be an http or https address");
        Assert.isTrue(timeout.toMillis() >= 1 && timeout.toSeconds() <= 60, "daybreak.sms.timeout must be 1ms to 60s");
    }
}
