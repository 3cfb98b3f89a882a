package dev.daybreak.admin.login;

import dev.daybreak.platform.security.Identity;
import dev.daybreak.platform.security.Role;
import dev.daybreak.platform.web.Input;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Whose token is wanted, for the description of the API: a patient's, a doctor's, or somebody's with a role. */
record DevelopmentTokenRequest(
        @Nullable Long patientId, @Nullable Long doctorId, DevelopmentTokenRequest.@Nullable Other role) {

    /** Roles that have no id. */
    enum Other {
        staff,
        admin
    }

    static Identity read(Input input) {
        Long patientId = input.optionalId("patientId");
        Long doctorId = input.optionalId("doctorId");
        Other role = input.optionalChoice("role", Other.class);
        input.check(
                input.has("patientId") || input.has("doctorId") || input.has("role"),
                "role",
                "any-of",
                "patientId, doctorId, role");
        input.complete();
        return identity(patientId, doctorId, role);
    }

    private static Identity identity(@Nullable Long patientId, @Nullable Long doctorId, @Nullable Other role) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        if (patientId != null) {
            roles.add(Role.PATIENT);
        }
        if (doctorId != null) {
            roles.add(Role.DOCTOR);
        }
        if (role != null) {
            roles.add(role == Other.admin ? Role.ADMIN : Role.STAFF);
        }
        String name = roles.stream().map(Role::name).map(String::toLowerCase).collect(Collectors.joining(", "));
        return new Identity("developer as " + name, roles, patientId, doctorId);
    }
}
