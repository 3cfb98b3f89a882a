package dev.daybreak.platform.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.ConnectionFactoryOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrationConnectionTest {

    @ParameterizedTest
    @CsvSource({
        "r2dbc:postgresql://db/daybreak, jdbc:postgresql://db:5432/daybreak",
        "r2dbc:postgresql://db:6543/daybreak, jdbc:postgresql://db:6543/daybreak",
        "r2dbc:pool:postgresql://db:6543/daybreak, jdbc:postgresql://db:6543/daybreak",
        "r2dbcs:postgresql://db/daybreak, jdbc:postgresql://db:5432/daybreak?sslmode=verify-full",
        "r2dbc:postgresql://db/daybreak?sslMode=require, jdbc:postgresql://db:5432/daybreak?sslmode=require",
    })
    void leadsToTheSameDatabase(String r2dbc, String jdbc) {
        assertThat(of(r2dbc).getJdbcUrl()).isEqualTo(jdbc);
    }

    @Test
    void leadsToSeveralHosts() {
        assertThat(of("r2dbc:postgresql:failover://a:5432,b:5433/daybreak").getJdbcUrl())
                .isEqualTo("jdbc:postgresql://a:5432,b:5433/daybreak");
    }

    @Test
    void carriesWhoConnects() {
        MigrationConnection connection = of("r2dbc:postgresql://clinic:s%40cret@db/daybreak");

        assertThat(connection.getUsername()).isEqualTo("clinic");
        assertThat(connection.getPassword()).isEqualTo("s@cret");
    }

    private static MigrationConnection of(String url) {
        return new MigrationConnection(ConnectionFactoryOptions.parse(url));
    }
}
