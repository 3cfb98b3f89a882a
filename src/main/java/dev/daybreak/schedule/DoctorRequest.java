package dev.daybreak.schedule;

import dev.daybreak.platform.web.Input;

record DoctorRequest(String name, String specialty) {

    static final int MAX_NAME = 200;
    static final int MAX_SPECIALTY = 100;

    static DoctorRequest read(Input input) {
        var request = new DoctorRequest(input.text("name", MAX_NAME), input.text("specialty", MAX_SPECIALTY));
        input.complete();
        return request;
    }
}
