package dev.daybreak;

import dev.daybreak.embedded.SharedServers;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.flyway.autoconfigure.FlywayConnectionDetails;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * PostgreSQL and Redis of the tests, one of each for the whole run (Kafka is started by those who need it): containers when a Docker engine answers, otherwise
 * the embedded servers in a temporary folder. {@code -Ddaybreak.test.servers=docker} or {@code embedded} decides instead.
 */
@TestConfiguration(proxyBeanMethods = false)
public class TestServers {

    /** Whether a Docker engine runs them. */
    public static boolean areContainers() {
        return DockerAnswers.ANSWERS;
    }

    /** Starts another instance of the service on the servers of a running one, with properties like "a=b". */
    public static ConfigurableApplicationContext anotherInstance(ApplicationContext first, String... properties) {
        Map<String, String> arguments = new LinkedHashMap<>(); // of a property given twice, the last counts
        Stream.of(
                        connectionProperties(first).stream(),
                        Stream.of(
                                "server.port=0",
                                "daybreak.admission.attempts=" + DaybreakTest.ATTEMPTS,
                                "daybreak.rooms.holds.at-once=" + DaybreakTest.ATTEMPTS,
                                "daybreak.rooms.holds.a-day=" + DaybreakTest.ATTEMPTS,
                                "daybreak.rooms.password-attempts=" + DaybreakTest.ATTEMPTS,
                                "daybreak.rooms.hash-strength=4"),
                        Stream.of(properties))
                .flatMap(Function.identity())
                .forEach(property -> arguments.put(property.substring(0, property.indexOf('=')), "--" + property));
        return new SpringApplicationBuilder(Daybreak.class)
                .run(arguments.values().toArray(String[]::new));
    }

    /** The properties that lead another process or context to the same servers. */
    public static List<String> connectionProperties(ApplicationContext context) {
        ConnectionFactoryOptions postgres =
                context.getBean(R2dbcConnectionDetails.class).getConnectionFactoryOptions();
        DataRedisConnectionDetails.Standalone redis =
                context.getBean(DataRedisConnectionDetails.class).getStandalone();
        Object password = postgres.getValue(ConnectionFactoryOptions.PASSWORD);
        return Stream.of(
                        databaseProperty(context, String.valueOf(postgres.getValue(ConnectionFactoryOptions.DATABASE))),
                        "spring.r2dbc.username=" + postgres.getValue(ConnectionFactoryOptions.USER),
                        password == null ? "" : "spring.r2dbc.password=" + password,
                        "spring.data.redis.host=" + redis.getHost(),
                        "spring.data.redis.port=" + redis.getPort())
                .filter(property -> !property.isEmpty())
                .toList();
    }

    /** Creates an empty database beside the context's own; the property, given to {@link #anotherInstance}, selects it. */
    public static String freshDatabase(ApplicationContext context) throws SQLException {
        String name = "fresh_" + UUID.randomUUID().toString().replace('-', '_');
        FlywayConnectionDetails jdbc = context.getBean(FlywayConnectionDetails.class);
        try (Connection connection =
                DriverManager.getConnection(jdbc.getJdbcUrl(), jdbc.getUsername(), jdbc.getPassword())) {
            connection.createStatement().execute("CREATE DATABASE " + name);
        }
        return databaseProperty(context, name);
    }

    private static String databaseProperty(ApplicationContext context, String database) {
        ConnectionFactoryOptions postgres =
                context.getBean(R2dbcConnectionDetails.class).getConnectionFactoryOptions();
        return "spring.r2dbc.url=r2dbc:postgresql://%s:%s/%s"
                .formatted(
                        postgres.getValue(ConnectionFactoryOptions.HOST),
                        postgres.getValue(ConnectionFactoryOptions.PORT),
                        database);
    }

    @TestConfiguration(proxyBeanMethods = false)
    @Conditional(DockerAnswers.class)
    static class Containers {

        @Bean
        @ServiceConnection
        PostgreSQLContainer postgres() {
            return Running.POSTGRES;
        }

        @Bean
        @ServiceConnection(name = "redis")
        GenericContainer<?> redis() {
            return Running.REDIS;
        }

        // Spring stops the containers of a context with it; these outlive it and are removed when the JVM ends.
        private static final class Running {

            static final PostgreSQLContainer POSTGRES = new PostgreSQLContainer("postgres:18.4") {
                @Override
                public void stop() {}
            };

            static final GenericContainer<?> REDIS = new SharedRedis();

            private static final class SharedRedis extends GenericContainer<SharedRedis> {

                SharedRedis() {
                    super(DockerImageName.parse("redis:7.2.11"));
                    addExposedPort(6379);
                }

                @Override
                public void stop() {}
            }

            static {
                POSTGRES.setCommand("postgres", "-c", "max_connections=300");
            }
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    @Conditional(DockerIsSilent.class)
    static class Embedded {

        @Bean
        R2dbcConnectionDetails postgres() {
            return SharedServers.postgres();
        }

        @Bean
        DataRedisConnectionDetails redis() {
            return SharedServers.redis();
        }
    }

    static class DockerAnswers implements Condition {

        private static final String CHOICE = System.getProperty("daybreak.test.servers", "");

        static final boolean ANSWERS = CHOICE.equals("docker")
                || !CHOICE.equals("embedded") && DockerClientFactory.instance().isDockerAvailable();

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return ANSWERS;
        }
    }

    static final class DockerIsSilent extends DockerAnswers {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !super.matches(context, metadata);
        }
    }
}
