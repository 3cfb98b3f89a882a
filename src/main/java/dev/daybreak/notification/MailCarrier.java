package dev.daybreak.notification;

import dev.daybreak.notification.Message.CalendarAttachment;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.mail.MailException;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Hands e-mails to the mail server, on threads of its own that may wait for it. */
final class MailCarrier implements Carrier, AutoCloseable {

    private final JavaMailSender mail;
    private final InternetAddress from;
    private final String domain;
    private final Scheduler threads;

    MailCarrier(JavaMailSender mail, InternetAddress from, int concurrency) {
        this.mail = mail;
        this.from = from;
        this.domain = from.getAddress().substring(from.getAddress().lastIndexOf('@') + 1);
        this.threads = Schedulers.newBoundedElastic(concurrency, Integer.MAX_VALUE, "daybreak-mail", 60, true);
    }

    @Override
    public Mono<Void> deliver(Message message) {
        return Mono.<Void>fromRunnable(() -> send(message)).subscribeOn(threads);
    }

    private void send(Message message) {
        try {
            mail.send(mime(message));
        } catch (MailException | MessagingException e) {
            throw new DeliveryFailed("The mail server did not take it: " + root(e));
        }
    }

    private MimeMessage mime(Message message) throws MessagingException {
        MimeMessage mime = mail.createMimeMessage();
        // The same on every attempt, so that mail servers can tell a message that comes again.
        mime.setHeader("Message-ID", "<notification-" + message.id() + "@" + domain + ">");
        mime.setHeader("Auto-Submitted", "auto-generated");
        var parts = new MimeMessageHelper(mime, true, StandardCharsets.UTF_8.name());
        parts.setFrom(from);
        parts.setTo(message.to());
        parts.setSubject(Objects.requireNonNullElse(message.subject(), ""));
        parts.setText(message.text(), Objects.requireNonNullElse(message.html(), ""));
        CalendarAttachment calendar = message.calendar();
        if (calendar != null) {
            parts.addAttachment(
                    calendar.name(),
                    new ByteArrayResource(calendar.content()),
                    "text/calendar; charset=UTF-8; method=" + calendar.method());
        }
        return mime;
    }

    private static String root(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause.getClass().getSimpleName() + " " + Objects.requireNonNullElse(cause.getMessage(), "");
    }

    @Override
    public void close() {
        threads.dispose();
    }
}
