package dev.daybreak.schedule;

/**
 * A committed change of a slot that a patient could see. Published in this process only, after the commit, on the thread
 * that learned of it: a listener must not block. Events of one slot may overtake each other; {@link Slot#version} tells.
 *
 * @param slot the state after the change
 * @param mayHaveOpened whether the slot may have gained seats or been reopened, so that who knew it as full must ask again
 */
public record SlotChanged(Slot slot, boolean mayHaveOpened) {}
