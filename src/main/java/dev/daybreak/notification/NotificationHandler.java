package dev.daybreak.notification;

import dev.daybreak.notification.Composer.Particulars;
import dev.daybreak.notification.Wording.Words;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.web.Input;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Shows messages to the clinic's staff, and tries failed ones again for them. */
final class NotificationHandler {

    static final int LONGEST_LIST = 200;
    static final int USUAL_LIST = 50;

    private final Notifications notifications;
    private final Retrying retrying;
    private final Composer composer;
    private final Map<Channel, Sender> senders;
    private final Clock clock;

    NotificationHandler(
            Notifications notifications, Retrying retrying, Composer composer, List<Sender> senders, Clock clock) {
        this.notifications = notifications;
        this.retrying = retrying;
        this.composer = composer;
        this.senders = senders.stream().collect(Collectors.toUnmodifiableMap(Sender::channel, Function.identity()));
        this.clock = clock;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        Input query = Input.query(request);
        Status status = query.optionalChoice("status", Status.class);
        Long patientId = query.optionalId("patientId");
        int limit = query.integer("limit", 1, LONGEST_LIST, USUAL_LIST);
        query.complete();
        return notifications
                .list(status, patientId, limit)
                .collectList()
                .flatMap(this::views)
                .flatMap(views -> ServerResponse.ok().bodyValue(views));
    }

    Mono<ServerResponse> retry(ServerRequest request) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return Detached.run(retrying.retry(id, clock.instant(), Actor.of(request)))
                .doOnNext(retried -> wake(retried.channel()))
                .switchIfEmpty(Mono.defer(() -> refuse(id)))
                .flatMap(retried -> views(List.of(retried)))
                .flatMap(views -> ServerResponse.ok().bodyValue(views.getFirst()));
    }

    private Mono<Notification> refuse(long id) {
        return notifications
                .find(id)
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.NOTIFICATION_NOT_FOUND)))
                .flatMap(found -> Mono.error(new Refusal(
                        Problem.of(ProblemCode.NOTIFICATION_NOT_FAILED).with("notificationStatus", found.status()))));
    }

    private void wake(Channel channel) {
        Sender sender = senders.get(channel);
        if (sender != null) {
            sender.wake();
        }
    }

    private Mono<List<NotificationView>> views(List<Notification> found) {
        return composer.particulars(found)
                .map(particulars ->
                        found.stream().map(each -> view(each, particulars)).toList());
    }

    private NotificationView view(Notification notification, Particulars particulars) {
        Words words = notification.body() == null ? composer.words(notification, particulars) : null;
        boolean email = notification.channel() == Channel.EMAIL;
        return new NotificationView(
                notification.id(),
                notification.eventId(),
                notification.channel(),
                notification.kind(),
                notification.appointmentId(),
                notification.patientId(),
                notification.status(),
                reason(notification),
                notification.attempts(),
                notification.createdAt(),
                notification.nextAttemptAt(),
                notification.sentAt(),
                particulars.contact(notification).address(notification.channel()),
                words == null ? notification.subject() : email ? words.subject() : null,
                words == null ? notification.body() : email ? words.text() : words.shortText());
    }

    private @Nullable String reason(Notification notification) {
        Sender sender = senders.get(notification.channel());
        boolean waits = notification.status() == Status.PENDING && (sender == null || !sender.isConfigured());
        return waits && notification.reason() == null
                ? nothingToSendWith(notification.channel())
                : notification.reason();
    }

    private static String nothingToSendWith(Channel channel) {
        return switch (channel) {
            case EMAIL -> "No channel: spring.mail.host is not set";
            case SMS -> "No channel: daybreak.sms.url is not set";
        };
    }
}
