package dev.daybreak.admin.login;

import dev.daybreak.platform.web.Input;

/** The body of a login, for the description of the API. */
record LoginRequest(String name, String password) {

    private static final int LONGEST = 200;

    static LoginRequest read(Input input) {
        var login = new LoginRequest(input.text("name", LONGEST), input.text("password", LONGEST));
        input.complete();
        return login;
    }

    /** Not the password: what is printed ends in logs. */
    @Override
    public String toString() {
        return "LoginRequest[…]";
    }
}
