package dev.daybreak.platform.security;

/** What somebody is to the clinic. One may be several at once. */
public enum Role {
    PATIENT,
    DOCTOR,
    STAFF,
    /** Whatever staff may, and what concerns the service itself. */
    ADMIN
}
