package dev.daybreak.admin.login;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Who may log in, and how often it may be tried.
 *
 * @param password a random one for each start if unset
 * @param session how long a token counts
 * @param attempts wrong ones from one address within the window; four times as many for one name
 * @param window how long attempts are counted together
 */
@ConfigurationProperties("daybreak.admin")
record LoginSettings(
        @DefaultValue("admin") String name,
        @Nullable String password,
        @DefaultValue("12h") Duration session,
        @DefaultValue("5") int attempts,
        @DefaultValue("1m") Duration window) {

    private static final int LONGEST = 200;

    LoginSettings {
        // An environment variable that is passed on empty means that nobody has set it.
        name = StringUtils.hasText(name) ? name.strip() : "admin";
        password = StringUtils.hasText(password) ? password.strip() : null; // as in the body of a login
        Assert.isTrue(
                name.length() <= LONGEST && (password == null || password.length() <= LONGEST),
                "daybreak.admin.name and .password may have at most 200 characters");
        Assert.isTrue(
                session.compareTo(Duration.ofSeconds(1)) >= 0 && session.compareTo(Duration.ofDays(30)) <= 0,
                "daybreak.admin.session must be 1 second to 30 days");
        Assert.isTrue(attempts >= 1 && attempts <= 1_000_000, "daybreak.admin.attempts must be 1 to 1,000,000");
        Assert.isTrue(
                window.compareTo(Duration.ofSeconds(1)) >= 0 && window.compareTo(Duration.ofDays(1)) <= 0,
                "daybreak.admin.window must be 1 second to 1 day");
    }

    /** Not the password: what is printed ends in logs. */
    @Override
    public String toString() {
        return "LoginSettings[name=" + name + ", password " + (password == null ? "unset" : "set") + "]";
    }
}
