package dev.daybreak.platform.web;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.security.Access;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The refusals of an operation: grouped by status, with the real document of each code as its example. */
final class ApiProblems {

    private static final String PROBLEM_JSON = "application/problem+json";

    private static final Problem UNAUTHORIZED = Problem.of(ProblemCode.UNAUTHORIZED);
    private static final Problem FORBIDDEN = Problem.of(ProblemCode.FORBIDDEN);

    /** While what credentials are checked with is away. */
    private static final Problem NOT_NOW = Problem.of(ProblemCode.UNAVAILABLE);

    private final ProblemResponses problems;
    private final ApiSchemas schemas;

    ApiProblems(ProblemResponses problems, ApiSchemas schemas) {
        this.problems = problems;
        this.schemas = schemas;
    }

    void describe(ApiDoc doc, @Nullable Access access, String path, ApiResponses responses) {
        for (Problem problem : all(doc, access)) {
            ProblemCode code = problem.code();
            String status = Integer.toString(code.status().value());
            ApiResponse response = responses.computeIfAbsent(status, absent -> response(code));
            var document = problems.document(problem, Locale.ENGLISH, path);
            // A fixed time: the description must not change from one start to the next.
            document.put("timestamp", "2026-10-12T00:30:00Z");
            MediaType content = response.getContent()
                    .computeIfAbsent(PROBLEM_JSON, absent -> new MediaType().schema(schemas.of(ProblemDocument.class)));
            if (content.getExamples() == null || !content.getExamples().containsKey(code.name())) {
                String title = String.valueOf(document.get("title"));
                content.addExamples(code.name(), new Example().summary(title).value(document));
                String said = response.getDescription();
                response.setDescription((said.isEmpty() ? "" : said + "; ") + code + ": " + title);
            }
        }
    }

    private static List<Problem> all(ApiDoc doc, @Nullable Access access) {
        var all = new ArrayList<>(doc.problems);
        all.addAll(ofAccess(access));
        if (doc.body != null) {
            all.add(Problem.invalid("body", "required"));
            all.add(Problem.of(ProblemCode.BODY_TOO_LARGE));
            all.add(Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE));
        } else if (!doc.parameters.isEmpty()) {
            all.add(Problem.invalid(doc.parameters.getFirst().name(), "invalid"));
        }
        if (!doc.mediaTypes().isEmpty()) {
            all.add(Problem.of(ProblemCode.NOT_ACCEPTABLE));
        }
        all.add(Problem.of(ProblemCode.INTERNAL_ERROR));
        if (doc.database) {
            all.add(Problem.of(ProblemCode.BUSY));
            all.add(Problem.of(ProblemCode.UNAVAILABLE));
        }
        return all;
    }

    private static List<Problem> ofAccess(@Nullable Access access) {
        return switch (access) {
            case null -> List.of();
            case Access.Everybody everybody -> List.of();
            case Access.SignedIn signedIn -> List.of(UNAUTHORIZED, NOT_NOW);
            case Access.OwnerInPath owner ->
                List.of(UNAUTHORIZED, NOT_NOW, Problem.of(owner.ownership().unknown()));
            case Access.DoctorOfInPath doctor ->
                List.of(
                        UNAUTHORIZED,
                        NOT_NOW,
                        FORBIDDEN,
                        Problem.of(doctor.ownership().unknown()));
            case Access.PatientInPath patient -> List.of(UNAUTHORIZED, NOT_NOW, FORBIDDEN);
            case Access.PatientInBody patient -> List.of(UNAUTHORIZED, NOT_NOW, FORBIDDEN);
            case Access.DoctorInPath doctor -> List.of(UNAUTHORIZED, NOT_NOW, FORBIDDEN);
            case Access.Staff staff -> List.of(UNAUTHORIZED, NOT_NOW, FORBIDDEN);
            case Access.Admin admin -> List.of(UNAUTHORIZED, NOT_NOW, FORBIDDEN);
        };
    }

    private ApiResponse response(ProblemCode code) {
        var response = new ApiResponse().description("").content(new Content());
        int status = code.status().value();
        if (status == 401) {
            response.addHeaderObject(
                    "WWW-Authenticate",
                    new Header().description("Which credentials are asked for").schema(schemas.of(String.class)));
        }
        if (status == 429 || status == 503) {
            response.addHeaderObject(
                    "Retry-After",
                    new Header()
                            .description("Seconds to wait before trying again")
                            .schema(schemas.of(Integer.class)));
        }
        return response;
    }
}
