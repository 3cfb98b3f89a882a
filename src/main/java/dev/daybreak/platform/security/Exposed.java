package dev.daybreak.platform.security;

/** The service would listen beyond this machine and ask nobody who they are. */
final class Exposed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Exposed(String what, String address) {
        super(
                "%s is %s, which is not a loopback address, and no authentication is configured: whoever reaches the port could"
                                .formatted(what, address)
                        + " book, cancel and read the appointments of every patient, and use the admin API.");
    }
}
