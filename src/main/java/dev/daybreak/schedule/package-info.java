/**
 * Doctors, their working hours, and the slots made of them. Owns the tables {@code doctor}, {@code schedule}, {@code
 * closure} and {@code time_slot}, except the number of booked seats, which belongs to booking. What is in the way when times are
 * taken out of the calendar it asks of {@link dev.daybreak.schedule.AppointmentsInTheWay}.
 */
@NullMarked
package dev.daybreak.schedule;

import org.jspecify.annotations.NullMarked;
