package dev.daybreak.schedule;

import reactor.core.publisher.Mono;

/** What makes the first look at the service show something. Each bean of this type furnishes an empty database where the demonstration is on. */
public interface DemoData {

    /** Adds all of it or nothing, and emits what it has added, in words. Empty if there was something already. */
    Mono<String> furnish();
}
