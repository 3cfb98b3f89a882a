package dev.daybreak.platform.data;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Duration;
import java.util.Map;
import java.util.TimeZone;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.r2dbc.ConnectionFactoryBuilder;
import org.springframework.boot.r2dbc.ConnectionFactoryDecorator;
import org.springframework.boot.r2dbc.autoconfigure.ConnectionFactoryOptionsBuilderCustomizer;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.netty.resources.LoopResources;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DatabaseSettings.class)
class DatabaseConfiguration {

    private static final Duration UNHURRIED = Duration.ofHours(1);

    @Bean
    @ConditionalOnProperty(name = "spring.flyway.url", matchIfMissing = true, havingValue = "none")
    MigrationConnection migrationConnection(R2dbcConnectionDetails details) {
        return new MigrationConnection(details.getConnectionFactoryOptions());
    }

    /** What every connection asks of its PostgreSQL session. */
    @Bean
    ConnectionFactoryOptionsBuilderCustomizer session(DatabaseSettings settings) {
        Map<String, String> session = Map.of(
                "statement_timeout", millis(settings.statementTimeout()),
                "lock_timeout", millis(settings.lockTimeout()),
                "idle_in_transaction_session_timeout", millis(settings.idleInTransactionTimeout()),
                // How many rows an index of expressions finds is a guess that grows with the table. With years of
                // history PostgreSQL would compile the plan of every batch for half a second, and find nothing.
                "jit", "off");
        return options -> options.option(PostgresqlConnectionFactoryProvider.OPTIONS, session)
                .option(PostgresqlConnectionFactoryProvider.TIME_ZONE, TimeZone.getTimeZone("UTC"))
                // Instants and numbers as they are, instead of text to parse.
                .option(PostgresqlConnectionFactoryProvider.FORCE_BINARY, true);
    }

    /** Spring Boot's pool, from the same properties, with the one limit that it has no property for. */
    @Bean(destroyMethod = "dispose")
    ConnectionPool connectionFactory(
            R2dbcConnectionDetails details,
            R2dbcProperties properties,
            DatabaseSettings settings,
            ObjectProvider<ConnectionFactoryOptionsBuilderCustomizer> customizers,
            ObjectProvider<ConnectionFactoryDecorator> decorators) {
        ConnectionFactory driver = driver(details, customizers)
                .configure(options -> closeBrokenWays(options, settings.answerTimeout()))
                .decorators(decorators.orderedStream().toList())
                .build();
        ConnectionPoolConfiguration.Builder pool = ConnectionPoolConfiguration.builder(driver)
                .customizer(builder -> builder.maxPendingAcquire(settings.maxPendingAcquire()));
        apply(properties.getPool(), pool);
        return new ConnectionPool(pool.build());
    }

    @Bean
    UnhurriedDatabase unhurriedDatabase(
            R2dbcConnectionDetails details, ObjectProvider<ConnectionFactoryOptionsBuilderCustomizer> customizers) {
        Map<String, String> session = Map.of("statement_timeout", millis(UNHURRIED));
        return new UnhurriedDatabase(driver(details, customizers)
                .configure(options -> options.option(PostgresqlConnectionFactoryProvider.OPTIONS, session))
                .build());
    }

    private static ConnectionFactoryBuilder driver(
            R2dbcConnectionDetails details, ObjectProvider<ConnectionFactoryOptionsBuilderCustomizer> customizers) {
        return ConnectionFactoryBuilder.withOptions(
                        details.getConnectionFactoryOptions().mutate())
                .configure(options -> customizers.orderedStream().forEach(customizer -> customizer.customize(options)));
    }

    @Bean
    PoolWarmup poolWarmup(ConnectionPool pool) {
        return new PoolWarmup(pool);
    }

    /** By this name it takes the place of Spring Boot's, which would ask the pool. */
    @Bean
    DatabaseHealth r2dbcHealthIndicator(ConnectionPool pool) {
        return new DatabaseHealth(pool.unwrap());
    }

    private static void closeBrokenWays(ConnectionFactoryOptions.Builder options, Duration deadline) {
        if (options.build().getValue(PostgresqlConnectionFactoryProvider.LOOP_RESOURCES)
                instanceof LoopResources loops) {
            options.option(PostgresqlConnectionFactoryProvider.LOOP_RESOURCES, new BrokenWays(loops, deadline));
        }
    }

    private static void apply(R2dbcProperties.Pool properties, ConnectionPoolConfiguration.Builder pool) {
        PropertyMapper map = PropertyMapper.get();
        map.from(properties.getMaxIdleTime()).to(pool::maxIdleTime);
        map.from(properties.getMaxLifeTime()).to(pool::maxLifeTime);
        map.from(properties.getMaxAcquireTime()).to(pool::maxAcquireTime);
        map.from(properties.getAcquireRetry()).to(pool::acquireRetry);
        map.from(properties.getMaxCreateConnectionTime()).to(pool::maxCreateConnectionTime);
        map.from(properties.getInitialSize()).to(pool::initialSize);
        map.from(properties.getMaxSize()).to(pool::maxSize);
        map.from(properties.getValidationQuery()).whenHasText().to(pool::validationQuery);
        map.from(properties.getValidationDepth()).to(pool::validationDepth);
        map.from(properties.getMinIdle()).to(pool::minIdle);
        map.from(properties.getMaxValidationTime()).to(pool::maxValidationTime);
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
