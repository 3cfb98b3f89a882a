package dev.daybreak.platform.security;

import org.jspecify.annotations.Nullable;

/**
 * Whose a thing is.
 *
 * @param patientId null if it is no patient's
 * @param doctorId null if it is no doctor's
 */
public record Owner(@Nullable Long patientId, @Nullable Long doctorId) {}
