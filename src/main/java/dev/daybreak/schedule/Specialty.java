package dev.daybreak.schedule;

/** A specialty as the doctors name it; upper and lower case make no difference. */
record Specialty(String name, int doctors) {}
