package dev.daybreak.room.reserve;

import dev.daybreak.platform.web.Input;

/** What one's own reservations are found by. */
record SearchRequest(String name, String password) {

    static final String EXAMPLE = """
            {"name": "Book club", "password": "red door 7"}""";

    static SearchRequest read(Input input) {
        var search = new SearchRequest(input.text("name", ReserveRequest.MAX_NAME), ReserveRequest.password(input));
        input.complete();
        return search;
    }

    /** Keeps the password out of logs. */
    @Override
    public String toString() {
        return "SearchRequest[…]";
    }
}
