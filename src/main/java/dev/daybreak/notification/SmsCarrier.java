package dev.daybreak.notification;

import io.netty.channel.ChannelOption;
import io.netty.handler.timeout.ReadTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/** Posts text messages to the gateway. Whatever it answers with 2xx is sent, anything else is not. */
final class SmsCarrier implements Carrier, AutoCloseable {

    private static final Duration PATIENCE_WITH_THE_REST = Duration.ofSeconds(1);

    private final WebClient gateway;
    private final URI url;
    private final Duration guard;
    private final ConnectionProvider connections;

    /** What the gateway gets; by the id it can tell a message that comes again. */
    record Sms(String to, String text, String id) {

        /** Keeps the number out of logs. */
        @Override
        public String toString() {
            return "Sms[" + id + "]";
        }
    }

    SmsCarrier(URI url, Duration timeout, int concurrency, LoopResources loops) {
        this.url = url;
        // Connecting, the answer and its rest have limits of their own; this is for an answer that trickles.
        this.guard = timeout.multipliedBy(2).plus(PATIENCE_WITH_THE_REST.multipliedBy(2));
        this.connections = ConnectionProvider.builder("daybreak-sms")
                .maxConnections(concurrency)
                .maxIdleTime(Duration.ofSeconds(30))
                .build();
        HttpClient http = HttpClient.create(connections)
                .runOn(loops)
                .responseTimeout(timeout)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(timeout.toMillis()));
        this.gateway = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(http))
                .build();
    }

    @Override
    public Mono<Void> deliver(Message message) {
        return gateway.post()
                .uri(url)
                .bodyValue(new Sms(message.to(), message.text(), Long.toString(message.id())))
                .exchangeToMono(SmsCarrier::status)
                .timeout(guard)
                .flatMap(status -> status.is2xxSuccessful()
                        ? Mono.<Void>empty()
                        : Mono.error(new DeliveryFailed("The SMS gateway answered " + status.value())))
                .onErrorMap(
                        TimeoutException.class, late -> new DeliveryFailed("The SMS gateway did not answer in time"))
                .onErrorMap(
                        WebClientRequestException.class,
                        failure -> new DeliveryFailed("The SMS gateway could not be reached or did not speak HTTP"));
    }

    private static Throwable explained(Throwable failure) {
        if (failure instanceof TimeoutException || failure.getCause() instanceof ReadTimeoutException) {
            return new DeliveryFailed("The SMS gateway did not answer in time");
        }
        return failure instanceof WebClientRequestException
                ? new DeliveryFailed("The SMS gateway could not be reached or did not speak HTTP")
                : failure;
    }

    /** The status is the answer; what follows it is read to use the connection again, if it comes soon. */
    private static Mono<HttpStatusCode> status(ClientResponse response) {
        return response.releaseBody()
                .timeout(PATIENCE_WITH_THE_REST)
                .onErrorComplete()
                .thenReturn(response.statusCode());
    }

    @Override
    public void close() {
        connections.dispose();
    }
}
