package dev.daybreak.schedule;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.SlotChangeOutcome.BelowBooked;
import dev.daybreak.schedule.SlotChangeOutcome.Changed;
import dev.daybreak.schedule.SlotChangeOutcome.InClosure;
import dev.daybreak.schedule.SlotChangeOutcome.NoSuchSlot;
import java.time.Clock;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The clinic's changes of slots over HTTP. */
class SlotHandler {

    private final SlotChanging changing;
    private final Clock clock;

    SlotHandler(SlotChanging changing, Clock clock) {
        this.changing = changing;
        this.clock = clock;
    }

    Mono<ServerResponse> change(ServerRequest request) {
        Input path = Input.path(request);
        long slotId = path.id("id");
        path.complete();
        return Input.body(request)
                .map(SlotChange::read)
                .flatMap(change -> changing.change(slotId, change, Actor.of(request)))
                .map(this::view)
                .flatMap(view -> ServerResponse.ok().bodyValue(view));
    }

    private SlotView view(SlotChangeOutcome outcome) {
        return switch (outcome) {
            case Changed changed -> SlotView.of(changed.slot(), clock.instant());
            case BelowBooked below -> throw new Refusal(belowBooked(below.booked()));
            case InClosure in -> throw new Refusal(inClosure(in.closureId()));
            case NoSuchSlot none -> throw new Refusal(ProblemCode.SLOT_NOT_FOUND);
        };
    }

    static Problem inClosure(long closureId) {
        return Problem.of(ProblemCode.SLOT_IN_CLOSURE).with("closureId", closureId);
    }

    static Problem belowBooked(int booked) {
        return Problem.of(ProblemCode.CAPACITY_BELOW_BOOKED).with("booked", booked);
    }
}
