package dev.daybreak.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.daybreak.load.K6.ScriptFailed;
import dev.daybreak.load.K6Result.Check;
import dev.daybreak.load.K6Result.Verdict;
import dev.daybreak.load.PaperClinic.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stand-in behaves as k6 does where the scripts rely on it. */
class K6Test {

    @TempDir
    private Path folder;

    @Test
    void givesEachVirtualUserGlobalsOfItsOwn() {
        K6Result result = script("""
                import exec from 'k6/execution';
                import { check } from 'k6';
                import { Counter } from 'k6/metrics';
                const users = new Counter('users');
                let mine = 0;
                export const options = {
                  scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 4 } },
                  thresholds: { users: ['count==3'] },
                };
                export default function () {
                  mine += 1;
                  check(mine, { 'counts its own iterations': () => mine === __ITER + 1 && exec.vu.idInTest === __VU });
                  if (mine === 1) users.add(1);
                }
                """).run();

        assertThat(result.passed()).isTrue();
        assertThat(result.checks()).containsEntry("counts its own iterations", new Check(12, 0));
        assertThat(result.count("iterations")).isEqualTo(12);
    }

    @Test
    void handsSetupDataOnAsACopy() {
        K6Result result = script("""
                import { check } from 'k6';
                export const options = { vus: 2, iterations: 6 };
                export function setup() { return { list: [1, 2], at: new Date(0) }; }
                export default function (data) {
                  check(data, { 'is unchanged': () => data.list.length === 2 && data.at === '1970-01-01T00:00:00.000Z' });
                  data.list.push(3);
                }
                export function teardown(data) { check(data, { 'is unchanged in the end': () => data.list.length === 2 }); }
                """).run();

        assertThat(result.checks())
                .containsEntry("is unchanged", new Check(6, 0))
                .containsEntry("is unchanged in the end", new Check(1, 0));
    }

    @Test
    void endsOnlyTheIterationThatThrows() {
        K6Result result = script("""
                import { fail } from 'k6';
                export const options = { vus: 1, iterations: 3, thresholds: { iterations: ['count==3'] } };
                export default function () { if (__ITER === 1) fail('the second'); }
                """).run();

        assertThat(result.exceptions()).singleElement().asString().contains("the second");
        assertThat(result.failedThresholds()).isEmpty();
        assertThat(result.passed()).isFalse();
    }

    @Test
    void runsScenariosInOrderOfTheirStartAndNoFurtherThanTold() {
        K6Result result = script("""
                import exec from 'k6/execution';
                import { Counter, Gauge } from 'k6/metrics';
                const last = new Gauge('last');
                const numbers = new Counter('numbers');
                export const options = {
                  scenarios: {
                    late: { executor: 'constant-vus', vus: 50, duration: '1h', startTime: '1m', exec: 'late' },
                    soon: { executor: 'constant-arrival-rate', rate: 5000, duration: '30s', preAllocatedVUs: 9, exec: 'soon' },
                  },
                  thresholds: {
                    'iterations{scenario:soon}': ['count==10'],
                    'iterations{scenario:late}': ['count==10'],
                    last: ['value==2'],
                    numbers: ['count==90'],
                  },
                };
                export function soon() { last.add(1); numbers.add(exec.scenario.iterationInTest); }
                export function late() { last.add(2); numbers.add(exec.scenario.iterationInTest); }
                """).iterations(10).run();

        assertThat(result.failedThresholds()).isEmpty();
    }

    @Test
    void judgesThresholdsAfterTheTeardownAndByTag() {
        K6Result result = script("""
                import { Counter, Rate, Trend } from 'k6/metrics';
                const seats = new Counter('seats'), good = new Rate('good'), time = new Trend('time', true), never = new Rate('never');
                export const options = { vus: 1, iterations: 4, thresholds: {
                  seats: ['count==-1'], 'seats{slot:a}': ['count==2', { threshold: 'count>2', abortOnFail: false }],
                  good: ['rate>0.7', 'rate<=0.75'], time: ['p(95)<4', 'max==4', 'avg<2.6', 'med===2.5', 'min!=0'], never: ['rate==0'],
                } };
                export default function () {
                  seats.add(1, { slot: __ITER < 2 ? 'a' : 'b' }); good.add(__ITER > 0); time.add(__ITER + 1);
                }
                export function teardown() { seats.add(-5); }
                """).run();

        assertThat(result.failedThresholds())
                .containsExactly(
                        new Verdict("seats{slot:a}", "count>2", false), new Verdict("never", "rate==0", false));
    }

    @Test
    void refusesWhatK6WouldNotStart() {
        assertFails("thresholds: { nothing: ['count==0'] }", "", "unknown metric nothing");
        assertFails("thresholds: { checks: ['count==0'] }", "", "has no count");
        assertFails("thresholds: { checks: ['rate is good'] }", "", "not a threshold");
        assertFails("scenarios: { s: { executor: 'ramping-vus' } }", "", "no executor ramping-vus");
        assertFails("", "http.get('http://127.0.0.1:1/');", "init phase");
    }

    @Test
    void refusesAMetricMadeOutsideTheInitPhase() {
        K6Result result = script("""
                import { Counter } from 'k6/metrics';
                export const options = { iterations: 1 };
                export default function () { new Counter('late'); }
                """).run();

        assertThat(result.exceptions()).singleElement().asString().contains("init phase");
    }

    @Test
    void speaksHttpAsK6Does() {
        try (var clinic = new PaperClinic(Fault.NONE)) {
            K6Result result = script("""
                    import http from 'k6/http';
                    import { check } from 'k6';
                    export const options = {
                      vus: 1, iterations: 1,
                      thresholds: {
                        'http_reqs{name:twice}': ['count==2'],
                        'http_reqs{status:404}': ['count==4'],
                        'http_req_failed{expected_response:false}': ['rate==1'],
                        http_req_failed: ['rate==0.4'],
                      },
                    };
                    export default function () {
                      const url = `${__ENV.BASE_URL}/api/admin/invariants`;
                      const found = http.get(url);
                      const [one, two] = http.batch([['GET', `${url}/x`, null, { tags: { name: 'twice' } }],
                        { method: 'GET', url: `${url}/x`, params: { tags: { name: 'twice' }, responseCallback: http.expectedStatuses(404) } }]);
                      const silent = http.get(`${url}/x`, { responseType: 'none', responseCallback: null });
                      const lost = http.get('http://127.0.0.1:1/', { responseCallback: http.expectedStatuses({ min: 200, max: 500 }) });
                      const none = http.del(`${__ENV.BASE_URL}/x`, null, { responseCallback: http.expectedStatuses(404) });
                      check(null, {
                        'reads JSON': () => found.json().ok && found.json('violations.0.invariant') === 'I1',
                        'has no value for a missing part': () => found.json('a.b') === undefined,
                        'names headers as Go does': () => found.headers.Etag !== undefined && found.headers['Content-Type'] === 'application/json',
                        'takes time': () => found.timings.duration > 0,
                        'sends batches': () => one.status === 404 && two.status === 404,
                        'leaves bodies away': () => silent.body === null,
                        'has status 0 without an answer': () => lost.status === 0 && lost.error !== '',
                        'deletes': () => none.status === 404,
                      });
                    }
                    """).env("BASE_URL", clinic.url()).run();

            assertThat(result.exceptions()).isEmpty();
            assertThat(result.checks())
                    .hasSize(8)
                    .allSatisfy(
                            (name, check) -> assertThat(check.failed()).as(name).isZero());
            // Failed: one of the batch and the lost one, of five that are judged.
            assertThat(result.failedThresholds()).isEmpty();
        }
    }

    @Test
    void gathersWhatTheSummaryReturns() {
        K6Result result = script("""
                import { check, group, sleep } from 'k6';
                export const options = { vus: 1, iterations: 2, thresholds: { checks: ['rate==1'] } };
                export default function () { group('outer', () => { sleep(0.01); check(1, { 'is one': (n) => n === 1 }); }); }
                export function handleSummary(data) {
                  const { values, thresholds, type } = data.metrics.checks;
                  return { stdout: `${type} ${values.passes} ${thresholds['rate==1'].ok} ${data.metrics.group_duration.values.min >= 10}`,
                    'out.json': '{}' };
                }
                """).run();

        assertThat(result.output()).containsEntry("stdout", "rate 2 true true").containsEntry("out.json", "{}");
    }

    private void assertFails(String options, String init, String message) {
        K6 script = script("""
                import http from 'k6/http';
                export const options = { %s };
                %s
                export default function () {}
                """.formatted(options, init));
        assertThatThrownBy(script::run).isInstanceOf(ScriptFailed.class).hasMessageContaining(message);
    }

    private K6 script(String text) {
        try {
            return K6.script(Files.writeString(folder.resolve("script.js"), text));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
