package dev.daybreak;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the service. */
@SpringBootApplication
public class Daybreak {

    static void main(String[] args) {
        SpringApplication.run(Daybreak.class, args);
    }
}
