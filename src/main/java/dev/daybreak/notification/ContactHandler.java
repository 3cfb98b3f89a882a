package dev.daybreak.notification;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.web.Input;
import java.util.List;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Contact data over HTTP. */
final class ContactHandler {

    private final Contacts contacts;

    ContactHandler(Contacts contacts) {
        this.contacts = contacts;
    }

    Mono<ServerResponse> put(ServerRequest request) {
        long patient = patientId(request);
        return Input.body(request)
                .map(ContactRequest::read)
                .flatMap(contact ->
                        Detached.run(contacts.put(patient, contact)).then(Mono.defer(() -> answer(patient, contact))));
    }

    Mono<ServerResponse> find(ServerRequest request) {
        long patient = patientId(request);
        return contacts.findAll(List.of(patient))
                .mapNotNull(found -> found.get(patient))
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.CONTACT_NOT_FOUND)))
                .flatMap(contact -> answer(patient, contact));
    }

    Mono<ServerResponse> remove(ServerRequest request) {
        return Detached.run(contacts.remove(patientId(request)))
                .then(Mono.defer(() -> ServerResponse.noContent().build()));
    }

    private static Mono<ServerResponse> answer(long patient, Contact contact) {
        return ServerResponse.ok().bodyValue(ContactView.of(patient, contact));
    }

    private static long patientId(ServerRequest request) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return id;
    }
}
