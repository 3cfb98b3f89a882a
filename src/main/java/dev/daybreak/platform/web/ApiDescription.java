package dev.daybreak.platform.web;

import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.security.Access;
import dev.daybreak.platform.security.Callers;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import tools.jackson.databind.json.JsonMapper;

/**
 * The OpenAPI description of every described route. Built from the route table itself rather than from annotations, so
 * that a route and its description cannot part.
 */
class ApiDescription implements OpenApiCustomizer {

    private static final String TOKEN = "token";
    private static final String ADMIN_TOKEN = "adminToken";

    /** Either of the two. */
    private static final List<SecurityRequirement> CREDENTIALS =
            List.of(new SecurityRequirement().addList(TOKEN), new SecurityRequirement().addList(ADMIN_TOKEN));

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final RouteCatalogue routes;
    private final ProblemResponses problems;
    private final String version;

    ApiDescription(RouteCatalogue routes, ProblemResponses problems, String version) {
        this.routes = routes;
        this.problems = problems;
        this.version = version;
    }

    @Override
    public void customise(OpenAPI api) {
        api.info(new Info()
                .title("Daybreak")
                .description("Watch the free slots of a clinic's doctors and book them.")
                .version(version)
                .license(new License().name("Apache-2.0").identifier("Apache-2.0")));
        // A host taken from whoever asked first would be wrong for everybody else.
        api.setServers(null);
        if (api.getComponents() == null) {
            api.setComponents(new Components());
        }
        api.getComponents()
                .addSecuritySchemes(
                        TOKEN,
                        new SecurityScheme()
                                .type(SecurityScheme.Type.HTTP)
                                .scheme("bearer")
                                .bearerFormat("JWT"))
                .addSecuritySchemes(
                        ADMIN_TOKEN,
                        new SecurityScheme()
                                .type(SecurityScheme.Type.APIKEY)
                                .in(SecurityScheme.In.HEADER)
                                .name(Callers.ADMIN_TOKEN));
        var schemas = new ApiSchemas(api.getComponents());
        var refusals = new ApiProblems(problems, schemas);
        routes.docs().forEach((route, doc) -> {
            Operation operation = operation(doc, schemas);
            Access access = routes.rule(route);
            if (asksForCredentials(access)) {
                operation.security(CREDENTIALS);
            }
            refusals.describe(doc, access, route.pattern(), operation.getResponses());
            PathItem path = api.getPaths().computeIfAbsent(route.pattern(), pattern -> new PathItem());
            path.operation(PathItem.HttpMethod.valueOf(route.method().name()), operation);
        });
    }

    static boolean asksForCredentials(@Nullable Access access) {
        return access != null && !(access instanceof Access.Everybody);
    }

    private static Operation operation(ApiDoc doc, ApiSchemas schemas) {
        var operation = new Operation()
                .operationId(doc.id)
                .summary(doc.summary)
                .description(doc.description)
                .responses(new ApiResponses());
        if (doc.tag != null) {
            operation.addTagsItem(doc.tag);
        }
        doc.parameters.forEach(parameter -> operation.addParametersItem(parameter(parameter, schemas)));
        if (doc.body != null) {
            operation.requestBody(new RequestBody()
                    .required(true)
                    .content(content("application/json", schemas.of(doc.body.type()), doc.body.example())));
        }
        doc.answers.forEach(answer -> addAnswer(operation.getResponses(), answer, schemas));
        return operation;
    }

    private static Parameter parameter(ApiDoc.Parameter parameter, ApiSchemas schemas) {
        return new Parameter()
                .in(parameter.in())
                .name(parameter.name())
                .description(parameter.description())
                .required(parameter.required())
                .schema(schemas.of(parameter.type()))
                .example(typed(parameter));
    }

    private static @Nullable Object typed(ApiDoc.Parameter parameter) {
        String example = parameter.example();
        boolean number = parameter.type() == Long.class || parameter.type() == Integer.class;
        return example == null || !number ? example : Long.valueOf(example);
    }

    private static void addAnswer(ApiResponses responses, ApiDoc.Answer answer, ApiSchemas schemas) {
        ApiResponse response = responses.computeIfAbsent(
                Integer.toString(answer.status()), status -> new ApiResponse().description(answer.description()));
        if (answer.status() == 201) {
            response.addHeaderObject(
                    "Location",
                    new Header().description("Where the created thing is found").schema(schemas.of(URI.class)));
        }
        if (answer.type() == null || answer.mediaType() == null) {
            return;
        }
        var schema = answer.list() ? schemas.listOf(answer.type()) : schemas.of(answer.type());
        var content = content(answer.mediaType().toString(), schema, answer.example());
        if (response.getContent() == null) {
            response.setContent(content);
        } else {
            response.getContent().putAll(content);
        }
    }

    private static Content content(String mediaType, Schema<?> schema, @Nullable String example) {
        Object shown =
                example == null || !mediaType.endsWith("/json") ? example : JSON.readValue(example, Object.class);
        return new Content()
                .addMediaType(mediaType, new MediaType().schema(schema).example(shown));
    }
}
