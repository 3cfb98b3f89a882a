package dev.daybreak.platform.security;

import dev.daybreak.platform.security.SecuritySettings.JwtSettings;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the claims of a token say about its holder. Roles the service does not know count for nothing. */
final class Claims {

    private static final int LONGEST_NAME = 100;

    private final JwtSettings settings;

    Claims(JwtSettings settings) {
        this.settings = settings;
    }

    Identity identity(Map<String, Object> claims) {
        Set<Role> roles = roles(find(claims, settings.rolesClaim()));
        return new Identity(
                name(claims),
                roles,
                roles.contains(Role.PATIENT) ? id(find(claims, settings.patientClaim())) : null,
                roles.contains(Role.DOCTOR) ? id(find(claims, settings.doctorClaim())) : null);
    }

    /** A claim of that name, or one inside others: {@code realm_access.roles}. */
    private static @Nullable Object find(Map<String, Object> claims, String name) {
        Object found = claims.get(name);
        int dot = name.indexOf('.');
        if (found != null || dot < 0) {
            return found;
        }
        return claims.get(name.substring(0, dot)) instanceof Map<?, ?> nested
                ? find(cast(nested), name.substring(dot + 1))
                : null;
    }

    @SuppressWarnings("unchecked") // of JSON, where every name is text
    private static Map<String, Object> cast(Map<?, ?> object) {
        return (Map<String, Object>) object;
    }

    private static Set<Role> roles(@Nullable Object claim) {
        var roles = EnumSet.noneOf(Role.class);
        Stream<?> named = Stream.empty();
        if (claim instanceof Collection<?> several) {
            named = several.stream();
        } else if (claim instanceof String one) {
            named = Stream.of(one.split(" "));
        }
        List<String> names = named.map(String::valueOf).toList();
        for (Role role : Role.values()) {
            if (names.contains(role.name().toLowerCase(Locale.ROOT))) {
                roles.add(role);
            }
        }
        return roles;
    }

    private static @Nullable Long id(@Nullable Object claim) {
        try {
            long id = claim == null ? 0 : Long.parseLong(claim.toString());
            return id < 1 ? null : id;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static String name(Map<String, Object> claims) {
        String subject = claims.get("sub") instanceof String text ? text.strip() : "";
        String shown = subject.codePoints()
                .filter(c -> !Character.isISOControl(c) && Character.getType(c) != Character.SURROGATE)
                .limit(LONGEST_NAME)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return shown.isEmpty() ? "unnamed" : shown;
    }
}
