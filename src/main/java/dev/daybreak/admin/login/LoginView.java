package dev.daybreak.admin.login;

import java.time.Instant;

/** A token that was made. */
record LoginView(String role, String token, Instant expiresAt) {

    static final String EXAMPLE = """
            {"role": "admin", "token": "kq3E0b1Zl7Q4rXb9Jk5eHq2AwT0oW2mS8C1n6o3VdYs", "expiresAt": "2026-10-12T19:00:00Z"}""";

    @Override
    public String toString() {
        return "LoginView[…]";
    }
}
