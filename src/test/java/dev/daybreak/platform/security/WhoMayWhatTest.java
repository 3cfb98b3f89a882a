package dev.daybreak.platform.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import dev.daybreak.Bearer;
import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.platform.web.Route;
import dev.daybreak.platform.web.RouteCatalogue;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;

/**
 * Every route of the service by every kind of caller, read from the route table: a new route is tested before anybody has thought
 * of it. What a caller may is worked out here from the route's rule; that a route has one, {@link RouteCatalogue} insists on.
 */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WhoMayWhatTest {

    /** Callers whose credentials do not count: 401 wherever credentials are asked for, and looked at nowhere else. */
    private static final String NOBODY = "nobody";

    /** Paths in which the id is of something that these tests make; in all others it is one that does not exist. */
    private static final long UNKNOWN = 999_999_999_999L;

    @Autowired
    ApplicationContext first;

    ConfigurableApplicationContext service;
    Clinic clinic;
    RouteCatalogue routes;
    RSAKey rsa;
    String adminToken;
    long patient;
    long otherPatient;
    long doctor;
    long otherDoctor;
    long appointment;

    @BeforeAll
    void startWithTokens() throws Exception {
        service = TestServers.anotherInstance(
                first,
                "daybreak.security.jwt.secret=" + Bearer.SECRET,
                "daybreak.security.jwt.issuer=" + Bearer.ISSUER,
                "daybreak.admin.name=head",
                "daybreak.admin.password=of administration");
        clinic = new Clinic(service);
        routes = service.getBean(RouteCatalogue.class);
        rsa = new RSAKeyGenerator(2048).keyID("theirs").generate();
        patient = Clinic.newPatient();
        otherPatient = Clinic.newPatient();
        doctor = clinic.doctor();
        otherDoctor = clinic.doctor();
        long slot = clinic.slot(doctor, Instant.now().plusSeconds(86_400), 5);
        appointment = clinic.send(
                        HttpMethod.POST,
                        "/api/appointments",
                        headers(Bearer.patient(patient).signed()),
                        Map.of("slotId", slot))
                .id();
        adminToken = (String) clinic.send(
                        HttpMethod.POST,
                        "/api/admin/login",
                        Map.of(),
                        Map.of("name", "head", "password", "of administration"))
                .body()
                .get("token");
    }

    @AfterAll
    void stop() {
        service.close();
    }

    private static Map<String, String> headers(String token) {
        Map<String, String> headers = new LinkedHashMap<>(Bearer.header(token));
        headers.put("Idempotency-Key", Clinic.newKey());
        return headers;
    }

    record Caller(String name, Map<String, String> headers) {

        boolean isNobody() {
            return name.startsWith(NOBODY);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    Stream<Caller> callers() {
        Bearer staff = Bearer.of("staff");
        String genuine = Bearer.patient(patient).signed();
        int payload = genuine.indexOf('.') + 1;
        return Stream.of(
                new Caller("nobody: no credentials", Map.of()),
                new Caller(
                        "nobody: expired",
                        Bearer.header(Bearer.of("admin")
                                .expiring(Instant.now().minusSeconds(1))
                                .signed())),
                new Caller(
                        "nobody: without an end",
                        Bearer.header(Bearer.of("admin").expiring(null).signed())),
                new Caller(
                        "nobody: another secret",
                        Bearer.header(
                                staff.signedWith("another secret, also long enough for HS256", JWSAlgorithm.HS256))),
                new Caller(
                        "nobody: altered claims",
                        Bearer.header(genuine.substring(0, payload)
                                + Bearer.patient(otherPatient).signed().split("\\.")[1]
                                + genuine.substring(genuine.lastIndexOf('.')))),
                new Caller(
                        "nobody: algorithm none",
                        Bearer.header(Bearer.of("admin").unsigned())),
                new Caller(
                        "nobody: other algorithm",
                        Bearer.header(staff.signedWith(Bearer.SECRET + Bearer.SECRET, JWSAlgorithm.HS512))),
                new Caller("nobody: a key of their own", Bearer.header(staff.signedWith(rsa, JWSAlgorithm.RS256))),
                new Caller(
                        "nobody: other issuer",
                        Bearer.header(Bearer.of("admin")
                                .with("iss", "https://elsewhere.example")
                                .signed())),
                new Caller("nobody: no token at all", Bearer.header("x")),
                new Caller("nobody: invented admin token", Map.of("X-Admin-Token", "invented")),
                new Caller("no role", Bearer.header(Bearer.of().signed())),
                new Caller("patient", Bearer.header(genuine)),
                new Caller(
                        "other patient",
                        Bearer.header(Bearer.patient(otherPatient).signed())),
                new Caller("doctor", Bearer.header(Bearer.doctor(doctor).signed())),
                new Caller(
                        "other doctor", Bearer.header(Bearer.doctor(otherDoctor).signed())),
                new Caller("staff", Bearer.header(staff.signed())),
                new Caller("admin", Bearer.header(Bearer.of("admin").signed())),
                new Caller("admin token", Map.of("X-Admin-Token", adminToken)));
    }

    @ParameterizedTest
    @MethodSource("callers")
    void keepsTheRuleOfEveryRoute(Caller caller) {
        assertThat(apiRoutes()).isNotEmpty().allSatisfy(route -> check(caller, route));
    }

    private List<Route> apiRoutes() {
        return routes.routes().stream()
                .filter(route -> route.pattern().startsWith("/api/"))
                .filter(route -> !route.pattern().equals("/api/admin/logout")) // it works: see LoginTest
                .toList();
    }

    private void check(Caller caller, Route route) {
        Access access = routes.rule(route);
        assertThat(access).as("rule of %s", route).isNotNull();
        String path = route.pattern().replaceAll("\\{[^}]+}", idFor(access));
        // Nothing may happen, whoever asks: no body, no key, no token of a hold, and things that do not exist.
        Answer answer = clinic.send(
                route.method(), path, caller.headers(), access instanceof Access.PatientInBody ? Map.of() : null);
        int status = answer.status().value();
        String said = "%s %s by %s: %s".formatted(route, path, caller, answer);
        if (access instanceof Access.Everybody) {
            assertThat(answer.code()).as(said).isNotIn("UNAUTHORIZED", "FORBIDDEN");
        } else if (caller.isNobody()) {
            assertThat(status).as(said).isEqualTo(401);
            assertThat(answer.headers().get("WWW-Authenticate")).as(said).startsWith("Bearer");
            if (!route.method().equals(HttpMethod.HEAD)) {
                assertThat(answer.code()).as(said).isEqualTo("UNAUTHORIZED");
            }
        } else if (may(caller.name(), access)) {
            assertThat(answer.code()).as(said).isNotIn("UNAUTHORIZED", "FORBIDDEN");
            assertThat(status).as(said).isLessThan(500);
        } else {
            assertThat(status).as(said).isEqualTo(access instanceof Access.OwnerInPath ? 404 : 403);
        }
    }

    /** Ids that are the caller's where there is such a caller: of the patient, the doctor or their appointment. */
    private String idFor(Access access) {
        return Long.toString(
                switch (access) {
                    case Access.PatientInPath own -> patient;
                    case Access.DoctorInPath own -> doctor;
                    case Access.DoctorOfInPath own -> UNKNOWN;
                    default -> UNKNOWN;
                });
    }

    private static boolean may(String caller, Access access) {
        Set<String> admins = Set.of("admin", "admin token");
        boolean admin = admins.contains(caller);
        boolean staff = admin || caller.equals("staff");
        return switch (access) {
            case Access.Everybody rule -> true;
            case Access.SignedIn rule -> true;
            case Access.Staff rule -> staff;
            case Access.Admin rule -> admin;
            case Access.PatientInPath rule -> staff || caller.equals("patient");
            case Access.PatientInBody rule -> staff || caller.endsWith("patient");
            case Access.OwnerInPath rule -> staff;
            case Access.DoctorInPath rule -> staff || caller.equals("doctor");
            case Access.DoctorOfInPath rule -> staff || caller.endsWith("doctor");
        };
    }

    @Test
    void whoseThingItIsMaySeeItAndToOthersThereIsNone() {
        String path = "/api/appointments/" + appointment;
        for (String mine : List.of(
                Bearer.patient(patient).signed(),
                Bearer.doctor(doctor).signed(),
                Bearer.of("staff").signed())) {
            assertThat(clinic.send(HttpMethod.GET, path, Bearer.header(mine), null)
                            .body())
                    .containsEntry("patientId", patient);
        }
        for (String foreign : List.of(
                Bearer.patient(otherPatient).signed(),
                Bearer.doctor(otherDoctor).signed(),
                Bearer.of().signed(),
                Bearer.of("doctor").with("patient_id", patient).signed())) {
            Answer there = clinic.send(HttpMethod.GET, path, Bearer.header(foreign), null);
            Answer nowhere = clinic.send(HttpMethod.GET, "/api/appointments/" + UNKNOWN, Bearer.header(foreign), null);

            assertThat(there.status().value()).isEqualTo(404);
            assertThat(told(there)).isEqualTo(told(nowhere)).containsEntry("code", "APPOINTMENT_NOT_FOUND");
        }
    }

    /** All but where and when. */
    private static Map<String, Object> told(Answer answer) {
        var told = new LinkedHashMap<>(answer.body());
        told.remove("instance");
        told.remove("timestamp");
        return told;
    }
}
