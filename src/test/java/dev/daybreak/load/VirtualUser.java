package dev.daybreak.load;

import dev.daybreak.load.K6.ScriptFailed;
import dev.daybreak.load.Metric.Type;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/** The script loaded once, with globals of its own, and what its k6 modules ask of Java. One thread at a time. */
public final class VirtualUser implements AutoCloseable {

    /** What all virtual users of a run share. */
    record World(
            Engine engine,
            HttpClient client,
            Path script,
            Map<String, String> env,
            Metrics metrics,
            BiConsumer<String, Boolean> checks) {}

    private final World world;
    private final int id;
    private final Context context;
    private final Value exports;
    private final Value json;
    private boolean initialising = true;
    private String group = "";
    private @Nullable Scenario scenario;
    private long iterationInTest;
    private long iteration;

    VirtualUser(World world, int id) {
        this.world = world;
        this.id = id;
        this.context = Context.newBuilder("js")
                .engine(world.engine())
                .allowHostAccess(HostAccess.EXPLICIT)
                .allowIO(IOAccess.newBuilder().fileSystem(new K6Modules()).build())
                .option("js.esm-eval-returns-exports", "true")
                .build();
        Value globals = context.getBindings("js");
        globals.putMember("__k6", this);
        globals.putMember("__VU", id);
        globals.putMember("__ITER", 0);
        globals.putMember("__ENV", ProxyObject.fromMap(new HashMap<String, Object>(world.env())));
        this.json = context.eval("js", "JSON");
        this.exports = load();
        this.initialising = false;
    }

    private Value load() {
        try {
            return context.eval(Source.newBuilder("js", world.script().toFile())
                    .mimeType("application/javascript+module")
                    .build());
        } catch (PolyglotException | IOException e) {
            context.close();
            throw new ScriptFailed(world.script().getFileName() + ": " + e.getMessage());
        }
    }

    boolean exports(String name) {
        return exports.hasMember(name);
    }

    /** An exported constant as JSON. */
    String constant(String name) {
        return exports(name) ? stringify(exports.getMember(name)) : "{}";
    }

    /** Calls an exported function with data given as JSON, and returns its result as JSON. */
    String call(String function, String data) {
        Value result = exports.getMember(function).execute(json.invokeMember("parse", data));
        return stringify(result);
    }

    /** Runs one iteration of a scenario. */
    void iterate(Scenario of, long number, String data) {
        scenario = of;
        iterationInTest = number;
        context.getBindings("js").putMember("__ITER", iteration);
        long start = System.nanoTime();
        try {
            call(of.exec(), data);
        } finally {
            iteration++;
            group = "";
            record("iterations", 1, Map.of());
            record("iteration_duration", (System.nanoTime() - start) / 1e6, Map.of());
        }
    }

    @Override
    public void close() {
        context.close(true);
    }

    @HostAccess.Export
    public void declare(String name, String type, boolean time) {
        if (!initialising) {
            throw new IllegalStateException("the metric " + name + " is made outside the init phase");
        }
        world.metrics().declare(name, Type.valueOf(type), time);
    }

    @HostAccess.Export
    public void add(String metric, double value, Value tags) {
        record(metric, value, K6Request.strings(tags));
    }

    @HostAccess.Export
    public void check(String name, boolean passed, Value tags) {
        Map<String, String> all = K6Request.strings(tags);
        all.put("check", name);
        world.checks().accept(name, passed);
        record("checks", passed ? 1 : 0, all);
    }

    @HostAccess.Export
    public String enterGroup(String name) {
        String before = group;
        group = before + "::" + name;
        return before;
    }

    @HostAccess.Export
    public void leaveGroup(String before) {
        group = before;
    }

    @HostAccess.Export
    public void sleep(double seconds) throws InterruptedException {
        Thread.sleep((long) (seconds * 1000));
    }

    /** Sends all requests at once and waits for the answers. */
    @HostAccess.Export
    public ProxyArray exchange(Value calls) {
        if (initialising) {
            throw new IllegalStateException("a request in the init phase");
        }
        List<CompletableFuture<ProxyObject>> answers = LongStream.range(0, calls.getArraySize())
                .mapToObj(i -> K6Request.of(calls.getArrayElement(i)))
                .map(request -> request.send(world.client()))
                .toList();
        return ProxyArray.fromList(
                answers.stream().<Object>map(CompletableFuture::join).toList());
    }

    @HostAccess.Export
    public @Nullable Object execution(String field) {
        if (field.startsWith("scenario.") && scenario == null) {
            throw new IllegalStateException(field + " is known in an iteration only");
        }
        return switch (field) {
            case "scenario.name" -> scenario.name();
            case "scenario.executor" -> scenario.executor();
            case "scenario.iterationInTest", "scenario.iterationInInstance" -> iterationInTest;
            case "vu.idInTest", "vu.idInInstance" -> id;
            case "vu.iterationInInstance", "vu.iterationInScenario" -> iteration;
            default -> throw new IllegalArgumentException("the stand-in has no exec." + field);
        };
    }

    private void record(String metric, double value, Map<String, String> tags) {
        var all = new HashMap<String, String>(tags);
        all.put("group", group);
        if (scenario != null) {
            all.put("scenario", scenario.name());
        }
        world.metrics().add(metric, value, all);
    }

    private String stringify(Value value) {
        Value text = json.invokeMember("stringify", value);
        return text.isString() ? text.asString() : "null";
    }
}
