package dev.daybreak.platform.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Case K7: the OpenAPI description holds every status of every call, with examples. */
@DemoServiceTest
class ApiDescriptionTests {

    private final WebTestClient client;
    private final RouteCatalogue routes;

    ApiDescriptionTests(WebTestClient client, RouteCatalogue routes) {
        this.client = client;
        this.routes = routes;
    }

    @Test
    void describesACallWithEachOfItsStatuses() {
        JsonNode call = description().at("/paths/~1api~1orders/post");
        assertThat(call.path("operationId").stringValue()).isEqualTo("order");
        assertThat(call.path("responses").propertyNames())
                .containsExactlyInAnyOrder("201", "400", "406", "409", "413", "415", "429", "500", "503");
        assertThat(call.at("/requestBody/content/application~1json/example/slotId")
                        .intValue())
                .isEqualTo(1001);
        assertThat(call.at("/responses/201/content/application~1json/schema/$ref")
                        .stringValue())
                .isEqualTo("#/components/schemas/Order");
        assertThat(call.at("/responses/201/headers/Location").isObject()).isTrue();
        assertThat(call.at("/responses/503/headers/Retry-After").isObject()).isTrue();
        assertThat(call.at("/parameters/0/name").stringValue()).isEqualTo("Idempotency-Key");
    }

    @Test
    void showsTheDocumentOfEachProblem() {
        JsonNode examples =
                description().at("/paths/~1api~1orders/post/responses/409/content/application~1problem+json/examples");
        assertThat(examples.propertyNames()).containsExactly("SLOT_FULL", "ALREADY_BOOKED");
        assertThat(examples.at("/SLOT_FULL/value/remaining").intValue()).isZero();
        assertThat(examples.at("/SLOT_FULL/value/type").stringValue()).isEqualTo("/problems/slot-full");
    }

    @Test
    void describesTheTypesAsTheCodeDeclaresThem() {
        JsonNode schemas = description().at("/components/schemas");
        assertThat(schemas.at("/Problem/properties/timestamp/format").stringValue())
                .isEqualTo("date-time");
        assertThat(schemas.at("/Problem/required").toString())
                .contains("\"code\"")
                .doesNotContain("violations");
        assertThat(schemas.at("/Violation/properties").propertyNames()).contains("field", "rule", "message");
        assertThat(schemas.at("/Order/required").toString())
                .contains("slotId", "patientId")
                .doesNotContain("note");
        assertThat(schemas.at("/Order/properties/note/type").toString()).contains("string", "null");
        assertThat(schemas.at("/Order/properties/slotId/format").stringValue()).isEqualTo("int64");
        assertThat(schemas.at("/Plan/properties/at/format").stringValue()).isEqualTo("date-time");
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        JsonNode description = description();
        description
                .findValuesAsString("$ref")
                .forEach(reference -> assertThat(
                                description.at(reference.substring(1)).isObject())
                        .as(reference)
                        .isTrue());
    }

    @Test
    void namesTheServiceAndItsLicence() {
        JsonNode description = description();
        assertThat(description.at("/info/title").stringValue()).isEqualTo("Daybreak");
        assertThat(description.at("/info/license/identifier").stringValue()).isEqualTo("Apache-2.0");
        assertThat(description.path("openapi").stringValue()).startsWith("3.1");
    }

    @Test
    void everyDescribedRouteIsInTheCatalogue() {
        assertThat(routes.routes())
                .contains(
                        new Route(HttpMethod.POST, "/api/orders"),
                        new Route(HttpMethod.GET, "/api/orders/{id}"),
                        new Route(HttpMethod.HEAD, "/api/orders/{id}"),
                        new Route(HttpMethod.DELETE, "/api/orders/{id}"));
    }

    @Test
    void theUserInterfaceComesFromTheServiceItself() {
        String page = client.get()
                .uri("/swagger-ui.html")
                .exchange()
                .expectStatus()
                .is3xxRedirection()
                .returnResult(String.class)
                .getResponseHeaders()
                .getFirst("Location");
        assertThat(page).startsWith("/");
        String html = client.get()
                .uri(page)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody();
        assertThat(html).contains("swagger-ui-bundle.js").doesNotContain("http://", "https://");
    }

    private JsonNode description() {
        byte[] body = client.mutate()
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(1 << 20))
                .build()
                .get()
                .uri("/v3/api-docs")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseBody();
        return JsonMapper.shared().readTree(body);
    }
}
