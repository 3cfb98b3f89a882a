package dev.daybreak.availability;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotView;
import dev.daybreak.schedule.Slots;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Lists the slots of a doctor's day, as one JSON array or one slot a line. */
final class SlotListHandler {

    private enum Include {
        offered,
        all
    }

    private final Slots slots;
    private final Doctors doctors;
    private final ClinicSettings clinic;
    private final Clock clock;

    SlotListHandler(Slots slots, Doctors doctors, ClinicSettings clinic, Clock clock) {
        this.slots = slots;
        this.doctors = doctors;
        this.clinic = clinic;
        this.clock = clock;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        Input input = Input.pathAndQuery(request);
        DoctorDay day = DoctorDay.from(input, clinic.zone());
        boolean all = input.choice("include", Include.class, Include.offered) == Include.all;
        input.complete();
        MediaType format = format(request);
        return slots.between(day.doctorId(), day.from(), day.to())
                .flatMap(found -> found.isEmpty() ? existing(day, found) : Mono.just(found))
                .map(found -> views(found, all))
                .flatMap(views -> format.equals(MediaType.APPLICATION_NDJSON)
                        ? ServerResponse.ok().contentType(format).body(Flux.fromIterable(views), SlotView.class)
                        : ServerResponse.ok().contentType(format).bodyValue(views));
    }

    private Mono<List<Slot>> existing(DoctorDay day, List<Slot> none) {
        return doctors.exists(day.doctorId())
                .flatMap(exists -> exists ? Mono.just(none) : Mono.error(new Refusal(ProblemCode.DOCTOR_NOT_FOUND)));
    }

    private List<SlotView> views(List<Slot> found, boolean all) {
        Instant now = clock.instant();
        return found.stream()
                .map(slot -> SlotView.of(slot, now))
                .filter(view -> all || view.state().isOffered())
                .toList();
    }

    /** What the client likes best of the two; the route has refused those that like neither. */
    private static MediaType format(ServerRequest request) {
        List<MediaType> accepted = request.headers().accept();
        return accepted.stream().anyMatch(MediaType.APPLICATION_NDJSON::equalsTypeAndSubtype)
                        && accepted.stream().noneMatch(MediaType.APPLICATION_JSON::equalsTypeAndSubtype)
                ? MediaType.APPLICATION_NDJSON
                : MediaType.APPLICATION_JSON;
    }
}
