/**
 * Makes an element. Properties: `class`, `on…` listeners, `dataset`, and attributes; true is an attribute without a value, and
 * false, null and undefined are none. Children are nodes, texts, arrays of them, or nothing.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...nodes(children));
  return element;
}

function nodes(children) {
  return children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false);
}

/** Replaces what is in the element. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

/** Sets the text only if it differs: a screen reader reads what is set again, and a selection in it would be lost. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
  return element;
}

export function toggle(element, attribute, on, value = '') {
  if (on) element.setAttribute(attribute, value);
  else element.removeAttribute(attribute);
}

/**
 * Makes the children of a list those of the items, in their order, and keeps the elements of items that stay: focus and
 * reading position survive a change from outside.
 */
export function keyed(parent, items, key, create, update) {
  const kept = parent.kept ??= new Map();
  const wanted = new Set(items.map(item => String(key(item))));
  for (const [id, element] of kept) {
    if (!wanted.has(id)) {
      element.remove();
      kept.delete(id);
    }
  }
  let place = parent.firstElementChild;
  for (const item of items) {
    const id = String(key(item));
    let element = kept.get(id);
    if (!element) {
      element = create(item);
      kept.set(id, element);
    }
    update?.(element, item);
    if (element === place) place = place.nextElementSibling;
    else parent.insertBefore(element, place);
  }
}

/** An icon of the sprite-free kind: a path on a grid of 24. Decoration, so hidden from screen readers. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'icon');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

const ICONS = {
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  clock: 'M12 7v5l3.5 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  calendar: 'M4 9h16M8 3v4M16 3v4M6 5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2z',
  move: 'M4 8h13l-3.5-3.5M20 16H7l3.5 3.5',
  cross: 'M6 6l12 12M18 6L6 18',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.5 16.5L21 21',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5',
  print: 'M7 9V4h10v5M7 17H4v-6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v6h-3M7 14h10v6H7z',
  alert: 'M12 8v5M12 16.5v.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  globe: 'M3.5 12h17M12 3.5c5 5 5 12 0 17c-5-5-5-12 0-17zM12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
};
