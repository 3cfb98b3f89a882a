// The module `k6` of the stand-in.
const host = globalThis.__k6;

export function check(subject, checks, tags = {}) {
  let all = true;
  for (const [name, test] of Object.entries(checks)) {
    const passed = Boolean(typeof test === 'function' ? test(subject) : test);
    host.check(name, passed, tags);
    all = all && passed;
  }
  return all;
}

export function group(name, body) {
  const before = host.enterGroup(name);
  const start = Date.now();
  try {
    return body();
  } finally {
    host.add('group_duration', Date.now() - start, {});
    host.leaveGroup(before);
  }
}

export function sleep(seconds) {
  host.sleep(seconds);
}

export function fail(message) {
  throw new Error(message);
}

export default { check, group, sleep, fail };
