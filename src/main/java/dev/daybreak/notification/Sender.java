package dev.daybreak.notification;

import dev.daybreak.notification.Composer.Particulars;
import dev.daybreak.notification.Notifications.Settlement;
import dev.daybreak.notification.Wording.Words;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

/**
 * Sends the messages of one channel as they become due. Several instances do so side by side: a message is claimed, for a
 * while, before it is sent. An instance that dies in between leaves its claim, and when that has run out the message is sent
 * again, with the same id; otherwise each is sent once.
 *
 * <p>Does nothing without a carrier: the messages stay pending, for an instance that has one.
 */
final class Sender implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Sender.class);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
    private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(5);
    private static final int FAILURES_A_WARNING = 30;

    private final Channel channel;
    private final @Nullable Carrier carrier;
    private final Notifications notifications;
    private final Composer composer;
    private final NotificationMetrics metrics;
    private final NotificationSettings settings;
    private final Clock clock;
    private final Sinks.Many<Boolean> wakeUps = Sinks.many().multicast().directBestEffort();
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile boolean stopping;
    private int failures;
    private long countedAt;
    private Disposable running = Disposables.disposed();
    private Mono<Void> end = Mono.empty();

    Sender(
            Channel channel,
            @Nullable Carrier carrier,
            Notifications notifications,
            Composer composer,
            NotificationMetrics metrics,
            NotificationSettings settings,
            Clock clock) {
        this.channel = channel;
        this.carrier = carrier;
        this.notifications = notifications;
        this.composer = composer;
        this.metrics = metrics;
        this.settings = settings;
        this.clock = clock;
    }

    Channel channel() {
        return channel;
    }

    /** Whether there is anything to send with. */
    boolean isConfigured() {
        return carrier != null;
    }

    /** Says that there may be something to send. */
    void wake() {
        woken.set(true);
        wakeUps.tryEmitNext(Boolean.TRUE);
    }

    /** Sends what is due, a batch at most, and emits how many messages that was. Safe to run at any time and anywhere. */
    Mono<Integer> sendDue() {
        Carrier by = carrier;
        if (by == null) {
            return Mono.just(0);
        }
        return Mono.defer(() -> {
            Instant now = clock.instant();
            Instant until = now.plus(settings.claim());
            return notifications
                    .claim(channel, now, until, settings.batchSize())
                    .flatMap(claimed -> claimed.isEmpty()
                            ? Mono.just(0)
                            : send(by, claimed, until).thenReturn(claimed.size()));
        });
    }

    private Mono<Void> send(Carrier by, List<Notification> claimed, Instant until) {
        return composer.particulars(claimed)
                .onErrorResume(failure ->
                        notifications.giveBack(claimed, until, clock.instant()).then(Mono.error(failure)))
                .flatMapMany(particulars -> Flux.fromIterable(claimed)
                        .flatMap(each -> sendOne(by, each, particulars, until), settings.concurrency()))
                .then();
    }

    /** Never errors: the others of the batch have their own fate. */
    private Mono<Void> sendOne(Carrier by, Notification notification, Particulars particulars, Instant until) {
        // Whoever waited in the batch for too long may be somebody else's by the time it is sent.
        if (stopping || clock.instant().isAfter(until.minus(settings.claim().dividedBy(2)))) {
            return notifications
                    .giveBack(List.of(notification), until, clock.instant())
                    .onErrorComplete();
        }
        return outcome(by, notification, particulars)
                .flatMap(settlement -> record(notification, settlement))
                .onErrorResume(failure -> {
                    LOG.error(
                            "Notification {} may have been sent, but that could not be recorded; it comes again: {}",
                            notification.id(),
                            failure.toString());
                    return Mono.empty();
                });
    }

    private Mono<Settlement> outcome(Carrier by, Notification notification, Particulars particulars) {
        Instant now = clock.instant();
        String skip = Relevance.reasonToSkip(
                notification, particulars.contact(notification), particulars.appointment(notification), now);
        if (skip != null) {
            return Mono.just(new Settlement(Status.SKIPPED, skip, null, null, null, null));
        }
        return Mono.defer(() -> composer.message(notification, particulars))
                .switchIfEmpty(Mono.error(() -> new DeliveryFailed("The message could not be put together")))
                .flatMap(message -> by.deliver(message).thenReturn(message))
                .map(message ->
                        new Settlement(Status.SENT, null, null, clock.instant(), message.subject(), message.text()))
                .onErrorResume(failure -> Mono.just(failed(notification, particulars, failure)));
    }

    private Settlement failed(Notification notification, Particulars particulars, Throwable failure) {
        String reason = reason(failure, particulars.contact(notification).address(channel));
        Instant next = settings.nextAttempt(notification.attempts(), clock.instant());
        if (next != null) {
            return new Settlement(Status.PENDING, reason, next, null, null, null);
        }
        LOG.warn(
                "Notification {} has failed after {} attempts: {}", notification.id(), notification.attempts(), reason);
        Words words = composer.words(notification, particulars);
        return words == null
                ? new Settlement(Status.FAILED, reason, null, null, null, null)
                : new Settlement(
                        Status.FAILED,
                        reason,
                        null,
                        null,
                        channel == Channel.EMAIL ? words.subject() : null,
                        channel == Channel.EMAIL ? words.text() : words.shortText());
    }

    /** What staff and the log may read: without the address, which servers like to repeat. */
    static String reason(Throwable failure, @Nullable String address) {
        String said = failure instanceof DeliveryFailed && failure.getMessage() != null
                ? failure.getMessage()
                : "The message could not be sent: " + failure.getClass().getSimpleName();
        String discreet = address == null ? said : said.replace(address, "…");
        String line = discreet.replaceAll("\\s+", " ")
                .replaceAll("[^ <>@]+@[^ <>]+", "…")
                .strip();
        return line.length() <= Notifications.LONGEST_REASON ? line : line.substring(0, Notifications.LONGEST_REASON);
    }

    /** Insists: a message that was sent and is not recorded as sent will be sent again. */
    private Mono<Void> record(Notification notification, Settlement settlement) {
        return Mono.defer(() -> notifications.settle(notification, settlement))
                .retryWhen(Retry.backoff(8, Duration.ofMillis(100)).maxBackoff(Duration.ofSeconds(5)))
                .doOnSuccess(settled -> metrics.count(channel, settlement.status(), 1));
    }

    @Override
    public void start() {
        if (carrier == null) {
            return;
        }
        stopping = false;
        var ended = Sinks.<Void>one();
        end = ended.asMono();
        running = Mono.defer(this::sendOrSayWhyNot)
                .repeat(() -> !stopping)
                .doFinally(signal -> ended.tryEmitEmpty())
                .subscribe();
    }

    private Mono<Void> sendOrSayWhyNot() {
        woken.set(false);
        return sendDue()
                .doOnNext(sent -> failures = 0)
                .flatMap(sent -> sent == settings.batchSize() ? Mono.empty() : count().then(pause(settings.poll())))
                .onErrorResume(failure -> {
                    if (failures++ % FAILURES_A_WARNING == 0) {
                        LOG.warn(
                                "{} messages cannot be sent, trying again every {}: {}",
                                channel,
                                AFTER_FAILURE,
                                failure.toString());
                    }
                    return pause(AFTER_FAILURE);
                });
    }

    private Mono<Void> pause(Duration most) {
        return woken.get() || stopping
                ? Mono.empty()
                : Mono.firstWithSignal(Mono.delay(most), wakeUps.asFlux().next())
                        .then();
    }

    private Mono<Void> count() {
        long now = System.nanoTime();
        if (countedAt != 0 && now - countedAt < BETWEEN_COUNTS.toNanos()) {
            return Mono.empty();
        }
        countedAt = now;
        return notifications
                .pending(channel, clock.instant())
                .doOnNext(pending -> metrics.pending(channel, pending))
                .then();
    }

    /** What is on its way may arrive and be recorded; the rest of the batch is given back. */
    @Override
    public void stop(Runnable callback) {
        stopping = true;
        wake();
        end.doFinally(signal -> callback.run()).subscribe();
    }

    @Override
    public void stop() {
        stopping = true;
        wake();
        running.dispose();
    }

    @Override
    public boolean isRunning() {
        return !running.isDisposed();
    }

    @Override
    public int getPhase() {
        return 2; // after the pools have been warmed up
    }
}
