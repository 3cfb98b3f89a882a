// The module `k6/execution` of the stand-in: what the scripts ask of it.
const host = globalThis.__k6;

const part = (name) => new Proxy({}, { get: (_, field) => host.execution(`${name}.${String(field)}`) });

export const scenario = part('scenario');
export const vu = part('vu');

export default { scenario, vu };
