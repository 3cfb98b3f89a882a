package dev.daybreak.schedule;

/**
 * Whoever publishes working hours: a doctor, or a clinic that works like one.
 *
 * @param flexible whether there are hours that are open for times of 15, 30 or 45 minutes
 */
public record Doctor(long id, String name, String specialty, boolean flexible) {}
