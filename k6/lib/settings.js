// @ts-check
// What a run is told by `-e NAME=value`; README.md lists the names.

export const BASE_URL = (__ENV.BASE_URL || 'http://localhost:8080').replace(/\/+$/, '');

/**
 * @param {string} name
 * @param {number} otherwise
 */
export function number(name, otherwise) {
  const value = __ENV[name] === undefined || __ENV[name] === '' ? otherwise : Number(__ENV[name]);
  if (!Number.isFinite(value) || value < 0) {
    throw new Error(`${name} must be a number of at least 0, not "${__ENV[name]}"`);
  }
  return value;
}

/**
 * The seconds of a duration such as `30s`, `2m` or `500ms`.
 *
 * @param {string} duration
 */
export function seconds(duration) {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(duration);
  if (!parts) {
    throw new Error(`not a duration: "${duration}"`);
  }
  return Number(parts[1]) * { ms: 0.001, s: 1, m: 60, h: 3600 }[/** @type {'ms'|'s'|'m'|'h'} */ (parts[2])];
}

/**
 * Headers of every request, with the token of somebody who may book for anybody when there is one.
 *
 * @param {Record<string, string>} [more]
 * @returns {Record<string, string>}
 */
export function headers(more) {
  /** @type {Record<string, string>} */
  const token = __ENV.TOKEN
    ? { Authorization: `Bearer ${__ENV.TOKEN}` }
    : __ENV.ADMIN_TOKEN
      ? { 'X-Admin-Token': __ENV.ADMIN_TOKEN }
      : {};
  return { Accept: 'application/json', 'Content-Type': 'application/json', ...token, ...more };
}
