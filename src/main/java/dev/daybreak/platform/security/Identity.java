package dev.daybreak.platform.security;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who somebody has shown to be.
 *
 * @param patientId null unless they have the role
 * @param doctorId null unless they have the role
 */
public record Identity(
        String name,
        Set<Role> roles,
        @Nullable Long patientId,
        @Nullable Long doctorId) {

    public Identity {
        roles = Set.copyOf(roles);
    }
}
