package dev.daybreak.notification;

import dev.daybreak.platform.web.Input;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A patient's contact data as sent, all of it at once. */
record ContactRequest(
        @Nullable String email,
        @Nullable String phone,
        @Nullable String language,
        @Nullable Boolean smsConsent) {

    static final String EXAMPLE = """
            {"email": "mira@example.org", "phone": "+4915112345678", "language": "en", "smsConsent": true}""";

    // What mail servers have in common; whether there is such a mailbox only a message can tell.
    private static final Pattern EMAIL =
            Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
                    + "@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?");
    private static final int LONGEST_EMAIL = 254;
    private static final int LONGEST_LOCAL_PART = 64;
    private static final Pattern PHONE = Pattern.compile("\\+[1-9][0-9]{6,14}");
    private static final int LONGEST_TEXT = 64;

    static Contact read(Input input) {
        String email = input.optionalText("email", LONGEST_EMAIL);
        String phone = input.optionalText("phone", LONGEST_TEXT);
        String language = input.optionalText("language", LONGEST_TEXT);
        boolean smsConsent = input.flag("smsConsent", false);
        input.check(email == null || isEmail(email), "email", "email");
        input.check(phone == null || PHONE.matcher(phone).matches(), "phone", "phone");
        input.check(language == null || Language.isKnown(language), "language", "choice", Language.CODES);
        input.check(input.has("email") || input.has("phone"), "email", "any-of", "email, phone");
        input.complete();
        return new Contact(email, phone, language == null ? Language.EN : Language.of(language), smsConsent);
    }

    private static boolean isEmail(String text) {
        return text.indexOf('@') <= LONGEST_LOCAL_PART && EMAIL.matcher(text).matches();
    }
}
