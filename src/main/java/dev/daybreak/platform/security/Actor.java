package dev.daybreak.platform.security;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * Who makes a request.
 *
 * @param name as it is kept with what they change: the subject of their token, or the name they logged in with
 * @param patientId which patient they are, if they have the role
 * @param doctorId which doctor they are, if they have the role
 * @param from the machine that sent the request, if it is known
 */
public record Actor(
        Standing standing,
        String name,
        Set<Role> roles,
        @Nullable Long patientId,
        @Nullable Long doctorId,
        @Nullable InetAddress from) {

    public static final String ATTRIBUTE = Actor.class.getName();

    /** What is known of somebody. */
    public enum Standing {
        /** Nothing; may have what everybody may. */
        STRANGER,
        /** Nothing, in a service that asks nobody for credentials: may have everything. */
        ANONYMOUS,
        /** Has shown who they are. */
        IDENTIFIED
    }

    public Actor {
        roles = Set.copyOf(roles);
    }

    static Actor stranger(@Nullable InetAddress from) {
        return new Actor(Standing.STRANGER, "stranger", Set.of(), null, null, from);
    }

    static Actor anonymous(@Nullable InetAddress from) {
        return new Actor(Standing.ANONYMOUS, "anonymous", Set.of(), null, null, from);
    }

    static Actor identified(Identity identity, @Nullable InetAddress from) {
        return new Actor(
                Standing.IDENTIFIED,
                identity.name(),
                identity.roles(),
                identity.patientId(),
                identity.doctorId(),
                from);
    }

    /** Who makes the request, as far as its route asks for it. */
    public static Actor of(ServerRequest request) {
        return request.attribute(ATTRIBUTE)
                .map(Actor.class::cast)
                .orElseGet(() -> stranger(request.remoteAddress()
                        .map(InetSocketAddress::getAddress)
                        .orElse(null)));
    }

    public boolean isAnonymous() {
        return standing == Standing.ANONYMOUS;
    }

    public boolean isStranger() {
        return standing == Standing.STRANGER;
    }

    /** Whether they have shown that they belong to the clinic's staff. */
    public boolean isStaff() {
        return roles.contains(Role.STAFF) || roles.contains(Role.ADMIN);
    }

    public boolean isAdmin() {
        return roles.contains(Role.ADMIN);
    }

    /** Whether they have shown that they are this patient. */
    public boolean isPatient(long id) {
        return patientId != null && patientId == id;
    }

    /** Whether they have shown that they are this doctor. */
    public boolean isDoctor(long id) {
        return doctorId != null && doctorId == id;
    }

    /** Whether a thing is theirs, as its patient or its doctor. */
    public boolean owns(Owner owner) {
        return owner.patientId() != null && isPatient(owner.patientId())
                || owner.doctorId() != null && isDoctor(owner.doctorId());
    }

    /** The address they call from, for the record; empty if it is not known. */
    public String address() {
        return from == null ? "" : from.getHostAddress();
    }
}
