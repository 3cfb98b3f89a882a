package dev.daybreak.platform.data;

import static io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider.SSL_CERT;
import static io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider.SSL_KEY;
import static io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider.SSL_MODE;
import static io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider.SSL_PASSWORD;
import static io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider.SSL_ROOT_CERT;
import static io.r2dbc.spi.ConnectionFactoryOptions.DATABASE;
import static io.r2dbc.spi.ConnectionFactoryOptions.HOST;
import static io.r2dbc.spi.ConnectionFactoryOptions.PASSWORD;
import static io.r2dbc.spi.ConnectionFactoryOptions.PORT;
import static io.r2dbc.spi.ConnectionFactoryOptions.SSL;
import static io.r2dbc.spi.ConnectionFactoryOptions.USER;

import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.flyway.autoconfigure.FlywayConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * The JDBC address of the database that the R2DBC options lead to, its encryption included, for the migrations at start.
 * Flyway is switched on by JDBC details and takes its address from its own, so this is both.
 */
final class MigrationConnection implements FlywayConnectionDetails, JdbcConnectionDetails {

    private static final int DEFAULT_PORT = 5432;

    private static final Map<String, Option<?>> ENCRYPTION = Map.of(
            "sslmode", SSL_MODE,
            "sslrootcert", SSL_ROOT_CERT,
            "sslcert", SSL_CERT,
            "sslkey", SSL_KEY,
            "sslpassword", SSL_PASSWORD);

    private final ConnectionFactoryOptions options;

    MigrationConnection(ConnectionFactoryOptions options) {
        this.options = options;
    }

    @Override
    public String getJdbcUrl() {
        String database = text(DATABASE);
        return "jdbc:postgresql://" + address() + "/" + (database == null ? "" : encoded(database)) + parameters();
    }

    @Override
    public @Nullable String getUsername() {
        return text(USER);
    }

    @Override
    public @Nullable String getPassword() {
        return text(PASSWORD);
    }

    @Override
    public String getDriverClassName() {
        return org.postgresql.Driver.class.getName();
    }

    // Several hosts carry their ports themselves: "a:5432,b:5432".
    private String address() {
        Object host = options.getRequiredValue(HOST);
        Object port = options.getValue(PORT);
        return host.toString().contains(",") ? host.toString() : host + ":" + (port == null ? DEFAULT_PORT : port);
    }

    private String parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        if ("true".equals(text(SSL))) {
            parameters.put("sslmode", "verify-full"); // what the R2DBC driver makes of it
        }
        ENCRYPTION.forEach((name, option) -> {
            String value = text(option);
            if (value != null) {
                parameters.put(name, value.replace('_', '-').equalsIgnoreCase("verify-full") ? "verify-full" : value);
            }
        });
        return parameters.isEmpty()
                ? ""
                : parameters.entrySet().stream()
                        .map(parameter -> parameter.getKey() + "=" + encoded(parameter.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    private @Nullable String text(Option<?> option) {
        Object value = options.getValue(option);
        return value == null ? null : value.toString();
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
