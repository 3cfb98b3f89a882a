package dev.daybreak.platform.web;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/**
 * What a route does, for its row in the table and for the OpenAPI description. Statuses that follow from the rest are
 * added there: 400 where there is input, 406 where there is a body to accept, 413 and 415 where there is one to send,
 * 500 always, and 503 unless {@link #withoutDatabase()}.
 */
public final class ApiDoc {

    static final String ATTRIBUTE = ApiDoc.class.getName();

    final String id;
    final String summary;
    final List<Parameter> parameters = new ArrayList<>();
    final List<Answer> answers = new ArrayList<>();
    final List<Problem> problems = new ArrayList<>();

    @Nullable
    String tag;

    @Nullable
    String description;

    @Nullable
    Body body;

    boolean database = true;

    record Parameter(
            String in,
            String name,
            Class<?> type,
            String description,
            @Nullable String example,
            boolean required) {}

    record Body(Class<?> type, String example) {}

    record Answer(
            int status,
            String description,
            @Nullable MediaType mediaType,
            @Nullable Class<?> type,
            boolean list,
            @Nullable String example) {}

    private ApiDoc(String id, String summary) {
        this.id = id;
        this.summary = summary;
    }

    /**
     * Begins the description of a route.
     *
     * @param id unique among all routes, the name generated clients give to the call
     */
    public static ApiDoc doc(String id, String summary) {
        return new ApiDoc(id, summary);
    }

    public ApiDoc tag(String name) {
        tag = name;
        return this;
    }

    public ApiDoc description(String text) {
        description = text;
        return this;
    }

    public ApiDoc path(String name, Class<?> type, String description, String example) {
        return parameter(new Parameter("path", name, type, description, example, true));
    }

    /** A query parameter that must be given. */
    public ApiDoc query(String name, Class<?> type, String description, String example) {
        return parameter(new Parameter("query", name, type, description, example, true));
    }

    public ApiDoc optionalQuery(String name, Class<?> type, String description, @Nullable String example) {
        return parameter(new Parameter("query", name, type, description, example, false));
    }

    /** A header that must be sent. */
    public ApiDoc header(String name, String description, String example) {
        return parameter(new Parameter("header", name, String.class, description, example, true));
    }

    public ApiDoc optionalHeader(String name, String description, @Nullable String example) {
        return parameter(new Parameter("header", name, String.class, description, example, false));
    }

    /** The JSON object the route reads; the example is JSON. */
    public ApiDoc body(Class<?> type, String example) {
        body = new Body(type, example);
        return this;
    }

    /** An answer without a body. */
    public ApiDoc answers(int status, String description) {
        return answer(new Answer(status, description, null, null, false, null));
    }

    /** An answer in JSON; the example is JSON. With status 201 the header Location is described too. */
    public ApiDoc answers(int status, String description, Class<?> type, String example) {
        return answer(new Answer(status, description, MediaType.APPLICATION_JSON, type, false, example));
    }

    /** An answer that is a JSON array of the type. */
    public ApiDoc answersList(int status, String description, Class<?> element, String example) {
        return answer(new Answer(status, description, MediaType.APPLICATION_JSON, element, true, example));
    }

    /** An answer in another format; the example is sent as it is. For one status, several formats may be given. */
    public ApiDoc answersAs(MediaType mediaType, int status, String description, Class<?> type, String example) {
        return answer(new Answer(status, description, mediaType, type, false, example));
    }

    public ApiDoc problems(ProblemCode... codes) {
        for (ProblemCode code : codes) {
            problems.add(Problem.of(code));
        }
        return this;
    }

    /** A problem that carries more than its code, shown as the example. */
    public ApiDoc problem(Problem example) {
        problems.add(example);
        return this;
    }

    /** Says that the route works while the database is away. */
    public ApiDoc withoutDatabase() {
        database = false;
        return this;
    }

    List<MediaType> mediaTypes() {
        var types = new ArrayList<MediaType>();
        for (Answer answer : answers) {
            if (answer.mediaType() != null && !types.contains(answer.mediaType())) {
                types.add(answer.mediaType());
            }
        }
        return types;
    }

    private ApiDoc parameter(Parameter parameter) {
        parameters.add(parameter);
        return this;
    }

    private ApiDoc answer(Answer answer) {
        answers.add(answer);
        return this;
    }
}
