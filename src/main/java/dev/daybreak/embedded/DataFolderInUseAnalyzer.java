package dev.daybreak.embedded;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Turns {@link DataFolderInUse} into the one message an operator needs. */
final class DataFolderInUseAnalyzer extends AbstractFailureAnalyzer<DataFolderInUse> {

    private static final String ACTION = """
            Stop the other instance, or give this one its own folder with daybreak.embedded.data-dir. Instances that \
            shall work side by side need common servers: set spring.r2dbc.url and spring.data.redis.host.""";

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, DataFolderInUse cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), ACTION, cause);
    }
}
