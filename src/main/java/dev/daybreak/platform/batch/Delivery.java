package dev.daybreak.platform.batch;

import dev.daybreak.platform.net.HomeLoop;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The answers to a batch, each given where its request is at home: one task for an event loop, not one for each answer. */
final class Delivery implements Runnable {

    private final List<Runnable> here = new ArrayList<>();
    private final Map<Executor, List<Runnable>> elsewhere = new IdentityHashMap<>();

    /** @param home the event loop of the request; null if it came from none */
    void add(@Nullable Executor home, Runnable answer) {
        if (home == null || home == HomeLoop.current()) {
            here.add(answer);
        } else {
            elsewhere.computeIfAbsent(home, loop -> new ArrayList<>()).add(answer);
        }
    }

    @Override
    public void run() {
        elsewhere.forEach((home, answers) -> home.execute(() -> answers.forEach(Runnable::run)));
        here.forEach(Runnable::run);
    }
}
