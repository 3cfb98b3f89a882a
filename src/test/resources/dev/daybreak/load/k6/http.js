// The module `k6/http` of the stand-in.
const host = globalThis.__k6;

class Response {
  constructor(call, exchange) {
    const { status, body, headers, error, duration } = exchange;
    this.url = call.url;
    this.status = status;
    this.body = call.responseType === 'none' ? null : body;
    this.headers = Object.fromEntries(Object.keys(headers).map((name) => [name, headers[name]]));
    this.error = error;
    this.error_code = status === 0 ? 1000 : status >= 400 ? 1000 + status : 0;
    this.timings = { duration, waiting: duration, sending: 0, receiving: 0, blocked: 0, connecting: 0, tls_handshaking: 0 };
    this.request = { method: call.method, url: call.url, body: call.body, headers: call.headers };
  }

  json(selector) {
    const value = JSON.parse(this.body);
    return selector === undefined ? value : selector.split('.').reduce((part, key) => part?.[key], value);
  }
}

let expectedByDefault = expectedStatuses({ min: 200, max: 399 });

export function expectedStatuses(...statuses) {
  return (status) => statuses.some((wanted) => wanted === status || (wanted.min <= status && status <= wanted.max));
}

export function setResponseCallback(callback) {
  expectedByDefault = callback;
}

export function request(method, url, body, params) {
  return exchange([describe(method, url, body, params)])[0];
}

export function get(url, params) {
  return request('GET', url, null, params);
}

export function head(url, params) {
  return request('HEAD', url, null, params);
}

export function post(url, body, params) {
  return request('POST', url, body, params);
}

export function put(url, body, params) {
  return request('PUT', url, body, params);
}

export function patch(url, body, params) {
  return request('PATCH', url, body, params);
}

export function del(url, body, params) {
  return request('DELETE', url, body, params);
}

// Requests as an array, or as an object whose keys name the responses; each an URL, [method, url, body, params] or an object.
export function batch(requests) {
  const names = Object.keys(requests);
  const responses = exchange(names.map((name) => describeOneOfBatch(requests[name])));
  return Array.isArray(requests) ? responses : Object.fromEntries(names.map((name, i) => [name, responses[i]]));
}

function describeOneOfBatch(entry) {
  if (typeof entry === 'string') {
    return describe('GET', entry);
  }
  return Array.isArray(entry) ? describe(...entry) : describe(entry.method, entry.url, entry.body, entry.params);
}

function describe(method, url, body, params) {
  if (body !== null && body !== undefined && typeof body !== 'string') {
    throw new TypeError('the stand-in sends strings only');
  }
  const { headers = {}, tags = {}, responseType, responseCallback } = params ?? {};
  return { method: method.toUpperCase(), url, body: body ?? null, headers, tags, responseType, responseCallback };
}

function exchange(calls) {
  const exchanges = host.exchange(calls);
  return calls.map((call, i) => measured(call, new Response(call, exchanges[i])));
}

function measured(call, response) {
  const expected = call.responseCallback === undefined ? expectedByDefault : call.responseCallback;
  const tags = { name: call.url, ...call.tags, method: call.method, url: call.url, status: String(response.status) };
  if (expected !== null) {
    tags.expected_response = String(expected(response.status));
    host.add('http_req_failed', expected(response.status) ? 0 : 1, tags);
  }
  host.add('http_reqs', 1, tags);
  host.add('http_req_duration', response.timings.duration, tags);
  return response;
}

export default { expectedStatuses, setResponseCallback, request, get, head, post, put, patch, del, batch };
