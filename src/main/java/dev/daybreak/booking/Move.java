package dev.daybreak.booking;

/**
 * A wish to have another slot for an appointment.
 *
 * @param slotId the slot it shall have
 * @param actor who moves it, kept with the appointment
 */
record Move(long appointmentId, long slotId, String actor) {}
