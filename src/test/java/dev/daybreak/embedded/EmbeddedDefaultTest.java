package dev.daybreak.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** A day of the embedded default as its user meets it, in steps: a real process, started, stopped and killed. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EmbeddedDefaultTest {

    private static final String INSERT = "INSERT INTO doctor (id, name, specialty) VALUES (900002, 'Kept', 'test')";
    private static final String SELECT = "SELECT name FROM doctor WHERE id = 900002";

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    static Path temporary;

    private static Path data;
    private static Service service;

    @BeforeAll
    static void start() throws IOException {
        data = temporary.toRealPath().resolve("data");
        service = Service.start(data);
    }

    @AfterAll
    static void leaveNothingRunning() {
        service.close();
        Service.stopServersOn(data);
    }

    @Test
    @Order(1)
    void isDurable() throws Exception {
        assertThat(query("SHOW fsync")).isEqualTo("on");
        assertThat(query("SHOW synchronous_commit")).isEqualTo("on");
        assertThat(query("SHOW full_page_writes")).isEqualTo("on");
        assertThat(query("SHOW listen_addresses")).isEqualTo("127.0.0.1");
        assertThat(query("SHOW server_version")).startsWith("18.");
        assertThat(query("SELECT name FROM pg_available_extensions WHERE name = 'btree_gist'"))
                .isEqualTo("btree_gist");
        assertThat(redis("CONFIG GET appendonly")).contains("yes");
    }

    @Test
    @Order(2)
    void refusesAFolderThatIsInUseWithOneClearError() throws Exception {
        try (Service second = Service.launch(data)) {
            assertThat(second.exitCode()).isEqualTo(1);

            assertThat(second.output())
                    .contains("APPLICATION FAILED TO START", "The data folder " + data + " is in use", "Action:")
                    .doesNotContain("\tat ");
        }
        assertThat(query("SELECT 'unharmed'")).isEqualTo("unharmed");
    }

    @Test
    @Order(2)
    void refusesToListenToOthersWithoutAuthentication() throws Exception {
        Path unused = temporary.resolve("exposed");
        try (Service exposed = Service.launch(unused, "server.address=0.0.0.0")) {
            assertThat(exposed.exitCode()).isEqualTo(1);

            assertThat(exposed.output())
                    .contains(
                            "APPLICATION FAILED TO START",
                            "no authentication is configured",
                            "DAYBREAK_SECURITY_JWT_SECRET")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    @Order(2)
    void issuesTokensToTryThingsOutWith() throws Exception {
        var patient = Pattern.compile("\"token\":\"([^\"]+)\"")
                .matcher(post("/api/dev/token", "{\"patientId\": 77}").body());
        assertThat(patient.find()).isTrue();

        assertThat(get("/api/patients/77/appointments", patient.group(1)).statusCode())
                .isEqualTo(200);
        assertThat(get("/api/patients/78/appointments", patient.group(1)).statusCode())
                .isEqualTo(403);
        assertThat(get("/api/admin/invariants", patient.group(1)).statusCode()).isEqualTo(403);
        assertThat(get("/api/patients/77/appointments", "e30." + patient.group(1))
                        .statusCode())
                .isEqualTo(401);
        assertThat(post("/api/dev/token", "{}").statusCode()).isEqualTo(400);
        var admin = Pattern.compile("\"token\":\"([^\"]+)\"")
                .matcher(post("/api/dev/token", "{\"role\": \"admin\"}").body());
        assertThat(admin.find()).isTrue();
        assertThat(get("/api/admin/invariants", admin.group(1)).statusCode()).isEqualTo(200);
    }

    private static HttpResponse<String> get(String path, String token) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(service.uri(path))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(String path, String json) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(service.uri(path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    @Order(3)
    void startsNothingWhenServersAreConfigured() throws Exception {
        Path unused = temporary.resolve("unused");
        try (Service other = Service.start(
                unused,
                "spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:%d/daybreak".formatted(service.postgresPort()),
                "spring.r2dbc.username=postgres",
                "spring.data.redis.port=" + service.redisPort())) {
            assertThat(unused).doesNotExist();
            assertThat(Service.serversOn(unused)).isEmpty();
            other.terminate();
        }
    }

    @Test
    @Order(4)
    void stopsCleanlyAndKeepsItsDataOverARestart() throws Exception {
        execute(INSERT);
        redis("SET token kept");

        service.terminate();

        assertThat(Service.serversOn(data)).isEmpty();
        assertThat(service.output()).doesNotContain("ERROR");

        service = Service.start(data);
        assertThat(query(SELECT)).isEqualTo("Kept");
        assertThat(redis("GET token")).contains("kept");
    }

    @Test
    @Order(5)
    void stopsWhatAKilledInstanceLeftRunning() throws Exception {
        ProcessHandle postgres = service.postgres();
        ProcessHandle redis = service.redis();
        service.kill();
        assertThat(postgres.isAlive() && redis.isAlive())
                .as("the servers outlive the kill, else this test shows nothing")
                .isTrue();

        service = Service.start(data);

        assertThat(postgres.isAlive() || redis.isAlive()).isFalse();
        assertThat(query(SELECT)).isEqualTo("Kept");
        assertThat(Service.serversOn(data)).contains(service.postgres(), service.redis());
    }

    @Test
    @Order(6)
    void stopsNobodyElseWhenAPidWasGivenAway() throws Exception {
        ProcessHandle postgres = service.postgres();
        ProcessHandle redis = service.redis();
        service.kill();
        for (ProcessHandle server : List.of(postgres, redis)) {
            server.destroyForcibly();
            server.onExit().orTimeout(30, TimeUnit.SECONDS).join();
        }
        Process bystander = new ProcessBuilder("sleep", "120").start();
        try {
            Path postmaster = data.resolve("postgres/postmaster.pid");
            String rest = Files.readString(postmaster).replaceFirst("[0-9]+", "");
            Files.writeString(postmaster, bystander.pid() + rest);
            Files.writeString(data.resolve("redis/redis.pid"), bystander.pid() + "\n");

            service = Service.start(data);

            assertThat(bystander.isAlive()).isTrue();
            assertThat(query(SELECT)).isEqualTo("Kept");
        } finally {
            bystander.destroyForcibly();
        }
        service.terminate();
        assertThat(Service.serversOn(data)).isEmpty();
    }

    private static String query(String sql) throws IOException, SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).as(sql).isTrue();
            return rows.getString(1);
        }
    }

    private static void execute(String sql) throws IOException, SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect() throws IOException, SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + service.postgresPort() + "/daybreak", "postgres", "");
    }

    private static String redis(String command) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", service.redisPort())) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
