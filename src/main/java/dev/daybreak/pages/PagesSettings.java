package dev.daybreak.pages;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The pages.
 *
 * @param signIn how the patient's page learns who its patient is; if unset by token where tokens are checked, by choice otherwise
 * @param portalUrl where patients sign in; the page leads there when it has no token, or one that has expired
 */
@ConfigurationProperties("daybreak.pages")
record PagesSettings(@Nullable SignIn signIn, @Nullable URI portalUrl) {

    enum SignIn {
        /** Whoever looks at the page chooses a number. For trying out. */
        CHOICE,
        /** By the token that the clinic's portal passes on. */
        TOKEN
    }
}
