package dev.daybreak.notification;

import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * How patients are told. By e-mail if {@code spring.mail.host} is set, by text message if {@code daybreak.sms.url} is.
 *
 * @param from the sender of e-mails
 * @param reminder how long before an appointment its patient is reminded; 0 for never
 * @param reminderCheck how often appointments that come near are looked for
 * @param maxAttempts how often a message is tried before it has failed
 * @param backoff pause after the first attempt, doubled after each further one
 * @param maxBackoff the longest pause
 * @param poll how often messages that are due are looked for when nobody says that there are some
 * @param claim how long an instance has for the messages it took; another takes them over then. Far longer than a delivery takes
 * @param batchSize messages taken at once
 * @param concurrency messages of a channel on their way at once
 * @param retention how long messages are kept, from when they were made and from the start of their appointment
 * @param pruneInterval how often older ones are removed; 0 for never
 */
@ConfigurationProperties("daybreak.notification")
record NotificationSettings(
        @Nullable String from,
        @DefaultValue("24h") Duration reminder,
        @DefaultValue("1m") Duration reminderCheck,
        @DefaultValue("12") int maxAttempts,
        @DefaultValue("10s") Duration backoff,
        @DefaultValue("1h") Duration maxBackoff,
        @DefaultValue("1s") Duration poll,
        @DefaultValue("2m") Duration claim,
        @DefaultValue("64") int batchSize,
        @DefaultValue("4") int concurrency,
        @DefaultValue("90d") Duration retention,
        @DefaultValue("1h") Duration pruneInterval) {

    private static final int MOST_DOUBLINGS = 30;

    NotificationSettings {
        Assert.isTrue(from == null || address(from) != null, "daybreak.notification.from must be an e-mail address");
        Assert.isTrue(
                !reminder.isNegative() && reminder.toDays() <= 30,
                "daybreak.notification.reminder must be 0 to 30 days");
        Assert.isTrue(isPause(reminderCheck), "daybreak.notification.reminder-check must be 1ms or more");
        Assert.isTrue(maxAttempts >= 1, "daybreak.notification.max-attempts must be 1 or more");
        Assert.isTrue(isPause(backoff), "daybreak.notification.backoff must be 1ms or more");
        Assert.isTrue(
                maxBackoff.compareTo(backoff) >= 0,
                "daybreak.notification.max-backoff must not be shorter than backoff");
        Assert.isTrue(isPause(poll), "daybreak.notification.poll must be 1ms or more");
        Assert.isTrue(isPause(claim), "daybreak.notification.claim must be 1ms or more");
        Assert.isTrue(batchSize >= 1 && batchSize <= 1024, "daybreak.notification.batch-size must be 1 to 1024");
        Assert.isTrue(concurrency >= 1 && concurrency <= 64, "daybreak.notification.concurrency must be 1 to 64");
        Assert.isTrue(!retention.isNegative(), "daybreak.notification.retention must not be negative");
        Assert.isTrue(
                pruneInterval.isZero() || isPause(pruneInterval),
                "daybreak.notification.prune-interval must be 0, or 1ms or more");
    }

    private static boolean isPause(Duration duration) {
        return duration.toMillis() >= 1;
    }

    /** Null for never: that was the last attempt. */
    @Nullable
    Instant nextAttempt(int attempts, Instant now) {
        if (attempts >= maxAttempts) {
            return null;
        }
        Duration doubled = backoff.multipliedBy(1L << Math.min(attempts - 1, MOST_DOUBLINGS));
        return now.plus(doubled.compareTo(maxBackoff) < 0 ? doubled : maxBackoff);
    }

    /** Errors if there is none: no e-mail can be sent then. */
    InternetAddress sender() {
        InternetAddress address = from == null ? null : address(from);
        Assert.state(address != null, "With spring.mail.host set, daybreak.notification.from must say who writes");
        return address;
    }

    private static @Nullable InternetAddress address(String text) {
        try {
            var address = new InternetAddress(text, true);
            return address.getAddress().indexOf('@') < 0 ? null : address;
        } catch (AddressException e) {
            return null;
        }
    }
}
