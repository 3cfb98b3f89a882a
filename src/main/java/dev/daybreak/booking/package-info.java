/**
 * Appointments: who has which slot, or which time of a flexible doctor. Owns the tables {@code appointment} and
 * {@code outbox_event}, the seat counts of {@code time_slot}, and the functions {@code book_batch}, {@code move_batch},
 * {@code cancel_batch}, {@code change_holds}, {@code expire_holds}, {@code book_openings}, {@code move_opening} and
 * {@code end_appointments}; promises that no seat is sold twice, that one Idempotency-Key makes at most one appointment, that a
 * hold is in nobody's way once it has expired, and that every change has its outbox row.
 */
@NullMarked
package dev.daybreak.booking;

import org.jspecify.annotations.NullMarked;
