package dev.daybreak;

import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Assumptions;

/** What a test needs from the machine: where it is absent the test is skipped, but on CI it fails. */
public final class Needs {

    private Needs() {}

    /** @param what names the thing and how to get it */
    public static void that(boolean present, String what) {
        if (!present && "true".equals(System.getenv("CI"))) {
            fail("Needed on CI but absent: " + what);
        }
        Assumptions.assumeTrue(present, what);
    }
}
