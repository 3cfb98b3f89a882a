package dev.daybreak.platform.security;

/**
 * What a route asks of its callers. Staff may have whatever is a patient's or a doctor's, admins what is staff's too. Every
 * rule but {@link Everybody} asks for credentials, unless the service asks nobody for any.
 */
public sealed interface Access {

    /** Needs no credentials, and does not look at them. */
    record Everybody() implements Access {}

    /** Somebody, whoever it is. */
    record SignedIn() implements Access {}

    record Staff() implements Access {}

    record Admin() implements Access {}

    /** The patient whose id is in the path. */
    record PatientInPath(String variable) implements Access {}

    /** The patient whose id is in the body; patients may leave theirs out. */
    record PatientInBody(String field) implements Access {}

    /** The patient or the doctor whose the thing in the path is; to everybody else there is no such thing. */
    record OwnerInPath(Ownership ownership, String variable) implements Access {}

    /** The doctor whose id is in the path. */
    record DoctorInPath(String variable) implements Access {}

    /** The doctor whose the thing in the path is, which is no secret from others. */
    record DoctorOfInPath(Ownership ownership, String variable) implements Access {}

    static Access everybody() {
        return new Everybody();
    }

    static Access signedIn() {
        return new SignedIn();
    }

    static Access staff() {
        return new Staff();
    }

    static Access admin() {
        return new Admin();
    }

    /** The patient itself: {@code patientInPath("id")} for {@code /api/patients/{id}/appointments}. */
    static Access patientInPath(String variable) {
        return new PatientInPath(variable);
    }

    /** The patient itself: {@code patientInBody("patientId")} for a body {@code {"slotId": 1001, "patientId": 77}}. */
    static Access patientInBody(String field) {
        return new PatientInBody(field);
    }

    /** Whose the thing is: {@code ownerInPath(appointments, "id")} for {@code /api/appointments/{id}}. */
    static Access ownerInPath(Ownership ownership, String variable) {
        return new OwnerInPath(ownership, variable);
    }

    /** The doctor itself: {@code doctorInPath("id")} for {@code /api/admin/doctors/{id}/schedules}. */
    static Access doctorInPath(String variable) {
        return new DoctorInPath(variable);
    }

    /** The doctor whose the thing is: {@code doctorOfInPath(schedules, "id")} for {@code /api/admin/schedules/{id}}. */
    static Access doctorOfInPath(Ownership ownership, String variable) {
        return new DoctorOfInPath(ownership, variable);
    }
}
