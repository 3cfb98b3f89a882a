package dev.daybreak.notification;

import org.jspecify.annotations.Nullable;

/**
 * How a patient can be reached.
 *
 * @param phone in the international form, E.164
 */
record Contact(@Nullable String email, @Nullable String phone, Language language, boolean smsConsent) {

    /** Of a patient who has left nothing. */
    static final Contact NONE = new Contact(null, null, Language.EN, false);

    /** Where a message goes, or null: the patient has no such address, or does not want it. */
    @Nullable
    String address(Channel channel) {
        return switch (channel) {
            case EMAIL -> email;
            case SMS -> smsConsent ? phone : null;
        };
    }

    /** Keeps it out of logs. */
    @Override
    public String toString() {
        return "Contact[…]";
    }
}
