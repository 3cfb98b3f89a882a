/**
 * Doctors, their working hours, and the slots made of them. Owns the tables {@code doctor}, {@code schedule} and {@code
 * time_slot}, except the number of booked seats, which belongs to booking.
 */
@NullMarked
package dev.daybreak.schedule;

import org.jspecify.annotations.NullMarked;
