package dev.daybreak.platform.rollout;

import reactor.core.publisher.Mono;

/** A feature's part in warming up: takes the paths that a rush takes, and changes nothing. */
public interface WarmUp {

    /** Goes them once; called many times over, several at a time. What it emits is ignored, and so are its errors. */
    Mono<?> once(Loopback loopback);
}
