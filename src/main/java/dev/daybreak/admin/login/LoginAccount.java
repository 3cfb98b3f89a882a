package dev.daybreak.admin.login;

import dev.daybreak.platform.security.Secret;
import java.io.PrintStream;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** The one name and password that there is. Of the password only a hash is kept, once a random one has been shown. */
final class LoginAccount implements ApplicationListener<ApplicationReadyEvent> {

    private final String name;
    private final byte[] nameHash;
    private final byte[] passwordHash;
    private final PrintStream console;
    private @Nullable Secret unseen;

    LoginAccount(LoginSettings settings, PrintStream console) {
        this.name = settings.name();
        this.console = console;
        this.unseen = settings.password() == null ? Secret.random() : null;
        this.nameHash = Secret.hash(name);
        this.passwordHash = Secret.hash(unseen == null ? String.valueOf(settings.password()) : unseen.reveal());
    }

    String name() {
        return name;
    }

    /** Takes the same time whatever is wrong: both hashes are compared, and to their end. */
    boolean matches(String givenName, String givenPassword) {
        return MessageDigest.isEqual(nameHash, Secret.hash(givenName))
                & MessageDigest.isEqual(passwordHash, Secret.hash(givenPassword));
    }

    /** Shows a random password to whoever started the service; not in the log, which may be kept and sent elsewhere. */
    @Override
    public void onApplicationEvent(ApplicationReadyEvent started) {
        if (unseen != null) {
            console.printf(
                    "%nAdministration: log in as %s with the password %s (of this start; set ADMIN_PASSWORD for one that stays)%n%n",
                    name, unseen.reveal());
            unseen = null;
        }
    }
}
