package dev.daybreak.embedded;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Starts what is not configured. An auto-configuration, so that it gives way to connection details from anywhere else
 * and to a class path without the embedded servers. The pools depend on the servers' beans and so close before them.
 */
@AutoConfiguration(
        before = {R2dbcAutoConfiguration.class, DataRedisAutoConfiguration.class},
        afterName = "org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration")
@EnableConfigurationProperties(EmbeddedSettings.class)
class EmbeddedConfiguration {

    @Bean
    @Lazy
    DataFolder dataFolder(EmbeddedSettings settings) {
        return DataFolder.open(settings.dataDir());
    }

    @Bean
    @ConditionalOnClass(name = "io.zonky.test.db.postgres.embedded.EmbeddedPostgres")
    @ConditionalOnMissingBean(R2dbcConnectionDetails.class)
    @Conditional(NoDatabaseConfigured.class)
    EmbeddedDatabase embeddedDatabase(DataFolder folder, EmbeddedSettings settings) throws IOException, SQLException {
        return EmbeddedDatabase.start(folder, settings.startTimeout());
    }

    @Bean
    @ConditionalOnClass(name = "redis.embedded.core.ExecutableProvider")
    @ConditionalOnMissingBean(DataRedisConnectionDetails.class)
    @Conditional(NoRedisConfigured.class)
    EmbeddedRedis embeddedRedis(DataFolder folder, EmbeddedSettings settings) throws IOException, InterruptedException {
        return EmbeddedRedis.start(folder, settings.startTimeout());
    }

    static final class NoDatabaseConfigured implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !configured(context.getEnvironment(), "spring.r2dbc", Set.of("url"));
        }
    }

    static final class NoRedisConfigured implements Condition {

        private static final Set<String> ADDRESSES =
                Set.of("host", "port", "url", "cluster", "sentinel", "masterreplica");

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !configured(context.getEnvironment(), "spring.data.redis", ADDRESSES);
        }
    }

    private static boolean configured(Environment environment, String prefix, Set<String> names) {
        return Binder.get(environment)
                .bind(prefix, Bindable.mapOf(String.class, Object.class))
                .map(Map::keySet)
                .map(keys -> keys.stream().anyMatch(names::contains))
                .orElse(false);
    }
}
