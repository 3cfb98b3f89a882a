package dev.daybreak.platform.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the claims of a token are worth. */
class ClaimsTest {

    private static Identity read(String rolesClaim, Map<String, Object> claims) {
        var settings = new SecuritySettings.JwtSettings(
                null, null, rolesClaim, "patient_id", "doctor_id", Duration.ofMinutes(5), 10);
        return new Claims(settings).identity(claims);
    }

    @Test
    void anIdWithoutItsRoleIsNobodys() {
        Identity identity = read("roles", Map.of("roles", List.of("doctor"), "patient_id", 77, "doctor_id", "7"));

        assertThat(identity.patientId()).isNull();
        assertThat(identity.doctorId()).isEqualTo(7);
    }

    @Test
    void rolesItDoesNotKnowCountForNothing() {
        assertThat(read("roles", Map.of("roles", List.of("superuser", "ADMIN", "staff ", 7)))
                        .roles())
                .isEmpty();
    }

    @Test
    void rolesMayBeOneTextOrInsideAnotherClaim() {
        assertThat(read("scope", Map.of("scope", "openid staff")).roles()).containsExactly(Role.STAFF);
        assertThat(read("realm_access.roles", Map.of("realm_access", Map.of("roles", List.of("admin"))))
                        .roles())
                .containsExactly(Role.ADMIN);
        assertThat(read("https://clinic.example/roles", Map.of("https://clinic.example/roles", List.of("admin")))
                        .roles())
                .containsExactly(Role.ADMIN);
    }

    @Test
    void idsThatAreNoneCountForNothing() {
        for (Object id : List.of(0, -7, "x", 1.5, "99999999999999999999", List.of(7))) {
            assertThat(read("roles", Map.of("roles", List.of("patient"), "patient_id", id))
                            .patientId())
                    .as("%s", id)
                    .isNull();
        }
    }

    @Test
    void namesAreFitToBeKept() {
        assertThat(read("roles", Map.of("sub", "a\u0000b\n" + "x".repeat(300))).name())
                .startsWith("ab")
                .hasSize(100);
        assertThat(read("roles", Map.of("sub", " ")).name()).isEqualTo("unnamed");
        assertThat(read("roles", Map.of()).name()).isEqualTo("unnamed");
    }
}
