package dev.daybreak.schedule;

/** Whoever publishes working hours: a doctor, or a clinic that works like one. */
public record Doctor(long id, String name, String specialty) {}
