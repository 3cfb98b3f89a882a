package dev.daybreak.schedule;

import dev.daybreak.schedule.AppointmentsInTheWay.InTheWay;
import java.util.List;

/** What became of a closure that the clinic wanted to make or change. */
sealed interface ClosureOutcome {

    /**
     * It is in force; or would be, if it was tried only.
     *
     * @param isNew whether there was no such closure before
     */
    record Closed(Closure closure, Withdrawal.Done done, boolean isNew) implements ClosureOutcome {}

    /** Nothing was changed, because of these. */
    record Affects(List<InTheWay> appointments) implements ClosureOutcome {}

    record NoSuchDoctor() implements ClosureOutcome {}

    record NoSuchClosure() implements ClosureOutcome {}
}
