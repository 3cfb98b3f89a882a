package dev.daybreak.embedded;

import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Settings of the embedded servers.
 *
 * @param dataDir the folder that holds their files, relative to the working directory unless absolute
 * @param startTimeout how long a server may take to accept connections, recovery after a crash included
 */
@ConfigurationProperties("daybreak.embedded")
record EmbeddedSettings(
        @DefaultValue("./data") Path dataDir,
        @DefaultValue("60s") Duration startTimeout) {

    EmbeddedSettings {
        Assert.hasText(dataDir.toString(), "daybreak.embedded.data-dir must name a folder");
        Assert.isTrue(startTimeout.isPositive(), "daybreak.embedded.start-timeout must be positive");
    }
}
