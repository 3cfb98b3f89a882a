// The module `k6/metrics` of the stand-in.
const host = globalThis.__k6;

class Metric {
  constructor(type, name, isTime = false) {
    host.declare(name, type, isTime);
    this.name = name;
  }

  add(value, tags = {}) {
    const number = Number(value);
    if (Number.isNaN(number)) {
      throw new TypeError(`${value} is not a value for the metric ${this.name}`);
    }
    host.add(this.name, number, tags);
  }
}

export class Counter extends Metric {
  constructor(name, isTime) {
    super('COUNTER', name, isTime);
  }
}

export class Gauge extends Metric {
  constructor(name, isTime) {
    super('GAUGE', name, isTime);
  }
}

export class Rate extends Metric {
  constructor(name, isTime) {
    super('RATE', name, isTime);
  }
}

export class Trend extends Metric {
  constructor(name, isTime) {
    super('TREND', name, isTime);
  }
}

export default { Counter, Gauge, Rate, Trend };
