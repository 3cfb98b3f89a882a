// @ts-check
// One page at the end: what was measured, which thresholds failed, and whether every seat is accounted for.

/**
 * @typedef {object} MetricSummary
 * @property {string} type
 * @property {Record<string, number>} values
 * @property {Record<string, {ok: boolean}>} [thresholds]
 */

/**
 * @param {{metrics: Record<string, MetricSummary>}} data
 * @returns {Record<string, string>}
 */
export function handleSummary(data) {
  const names = Object.keys(data.metrics).sort();
  const lines = names.filter((name) => !name.includes('{slot:')).map((name) => line(name, data.metrics[name]));
  const failures = names.flatMap((name) => failed(name, data.metrics[name]));
  /** @type {Record<string, string>} */
  const output = { stdout: ['', ...lines, '', ...failures, verdict(data, failures), ''].join('\n') };
  if (__ENV.SUMMARY_JSON) {
    output[__ENV.SUMMARY_JSON] = JSON.stringify(data, null, 2);
  }
  return output;
}

/**
 * @param {string} name
 * @param {MetricSummary} metric
 */
function line(name, metric) {
  const values = Object.entries(metric.values).map(([key, value]) => `${key}=${Math.round(value * 1000) / 1000}`);
  return `${name.padEnd(44, '.')} ${values.join(' ')}`;
}

/**
 * @param {string} name
 * @param {MetricSummary} metric
 */
function failed(name, metric) {
  return Object.entries(metric.thresholds || {})
    .filter(([, threshold]) => !threshold.ok)
    .map(([expression]) => `FAILED ${name}: ${expression} (${JSON.stringify(metric.values)})`);
}

/**
 * @param {{metrics: Record<string, MetricSummary>}} data
 * @param {string[]} failures
 */
function verdict(data, failures) {
  /** @param {string} name */
  const count = (name) => (data.metrics[name] ? data.metrics[name].values.count : 0);
  if (count('audits_done') !== 1) {
    return 'UNKNOWN: the audit did not run to its end.';
  }
  const promisedTwice = failures.some((failure) => failure.includes('{slot:'));
  const sound = !promisedTwice && ['seats_oversold', 'seats_unaccounted', 'invariant_violations'].every((name) => count(name) === 0);
  const facts = `${count('bookings_accepted')} accepted, ${count('seats_taken')} seats taken in the end, ${count('seats_oversold')} oversold,`
    + ` ${count('seats_unaccounted')} unaccounted for, ${count('invariant_violations')} invariant violations`;
  return `${sound ? 'SOUND' : 'OVERSOLD OR LOST'}: ${facts}.`;
}
