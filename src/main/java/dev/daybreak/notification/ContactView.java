package dev.daybreak.notification;

import org.jspecify.annotations.Nullable;

/** A patient's contact data as they and the clinic's staff see it. */
record ContactView(
        long patientId, @Nullable String email, @Nullable String phone, String language, boolean smsConsent) {

    static final String EXAMPLE = """
            {"patientId": 77, "email": "mira@example.org", "phone": "+4915112345678", "language": "en", "smsConsent": true}""";

    static ContactView of(long patientId, Contact contact) {
        return new ContactView(
                patientId, contact.email(), contact.phone(), contact.language().code(), contact.smsConsent());
    }

    /** Keeps it out of logs. */
    @Override
    public String toString() {
        return "ContactView[" + patientId + ", …]";
    }
}
