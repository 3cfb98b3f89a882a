package dev.daybreak.pages;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The pages.
 *
 * @param signIn how the patient's page learns who its patient is
 * @param portalUrl where patients sign in; the page leads there when it has no token, or one that has expired
 * @param patientClaim the claim of the token that is the patient's number
 */
@ConfigurationProperties("daybreak.pages")
record PagesSettings(
        @DefaultValue("CHOICE") SignIn signIn,
        @Nullable URI portalUrl,
        @DefaultValue("patient_id") String patientClaim) {

    enum SignIn {
        /** Whoever looks at the page chooses a number. For trying out. */
        CHOICE,
        /** By the token that the clinic's portal passes on. */
        TOKEN
    }
}
