package dev.daybreak.platform.web;

/** A value that breaks a rule; never leaves the package, {@link Input} turns it into a violation. */
final class Malformed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String rule;
    private final transient Object[] args;

    Malformed(String rule, Object... args) {
        super(rule, null, false, false);
        this.rule = rule;
        this.args = args;
    }

    String rule() {
        return rule;
    }

    Object[] args() {
        return args;
    }
}
