package dev.daybreak.booking.life;

import java.time.Duration;

/** Something that a patient or the clinic does. Patients and slots go by their place, appointments by the order they were made in. */
sealed interface Step {

    /** @param again with the key of the patient's latest appointment, where there is one */
    record Book(int patient, int slot, boolean again) implements Step {}

    /** @param again with the key of the patient's latest appointment, where there is one */
    record Hold(int patient, int slot, boolean again) implements Step {}

    /** Something done to an appointment. */
    sealed interface OnVisit extends Step {

        int visit();

        /** The same, done to another. */
        OnVisit on(int visit);
    }

    record Confirm(int visit) implements OnVisit {
        @Override
        public Confirm on(int other) {
            return new Confirm(other);
        }
    }

    record Extend(int visit) implements OnVisit {
        @Override
        public Extend on(int other) {
            return new Extend(other);
        }
    }

    record Release(int visit) implements OnVisit {
        @Override
        public Release on(int other) {
            return new Release(other);
        }
    }

    /** Confirms with a token that was never issued. */
    record Steal(int visit) implements OnVisit {
        @Override
        public Steal on(int other) {
            return new Steal(other);
        }
    }

    record Move(int visit, int slot) implements OnVisit {
        @Override
        public Move on(int other) {
            return new Move(other, slot);
        }
    }

    record Cancel(int visit) implements OnVisit {
        @Override
        public Cancel on(int other) {
            return new Cancel(other);
        }
    }

    record Close(int slot, boolean closed) implements Step {}

    record Resize(int slot, int capacity) implements Step {}

    record Wait(Duration time) implements Step {}
}
