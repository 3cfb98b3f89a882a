package dev.daybreak.availability.day;

import dev.daybreak.schedule.Slot;

/** Another instance committed a change of a slot. Published like a {@code SlotChanged}, but not for every one: messages get lost. */
public record SlotChangedElsewhere(Slot slot) {}
