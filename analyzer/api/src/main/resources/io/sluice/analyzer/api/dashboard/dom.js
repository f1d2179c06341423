/** What is not seen, or turns the direction of the text behind it: with it two callers look alike, or a name like another one. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** @param {string} text @returns {string} with each invisible character as \u and its code */
const visible = (text) => text.replace(INVISIBLE, (one) => `\\u${one.codePointAt(0).toString(16).padStart(4, '0')}`);

/**
 * Creates an element. Text becomes text nodes, never markup: names of callers are not trusted.
 *
 * @param {string} tag
 * @param {Record<string, any>} [attributes] `on…` adds a listener, `true` an empty attribute; `false` and `null` none
 * @param {...(Node|string|number|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      created.addEventListener(name.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      created.setAttribute(name, value === true ? '' : String(value));
    }
  }
  created.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) =>
    child instanceof Node ? child : document.createTextNode(visible(String(child)))));
  return created;
}

/** @type {WeakMap<Node, string>} what each keyed child was built from */
const built = new WeakMap();

/** Children that are built without a break: more hold up clicks. */
const AT_ONCE = 20;

/** @type {WeakMap<Node, number>} the frame that builds the rest of the children of a parent */
const rest = new WeakMap();

const OPERABLE = 'a[href], button, input, select, [tabindex]';

/**
 * Makes the children of a parent those of the items, in order. A child is rebuilt only when its item changed, and many are built over several frames.
 * The focus stays: on the same control of a child that was rebuilt or moved, on the region of the parent where the child is gone.
 *
 * @template T
 * @param {HTMLElement} parent
 * @param {T[]} items
 * @param {(item: T) => string} key unique among the items
 * @param {(item: T) => HTMLElement} build
 */
export function keyed(parent, items, key, build) {
  cancelAnimationFrame(rest.get(parent) ?? 0);
  let changed = 0;
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const held = focused && [...parent.children].find((child) => child.contains(focused));
  const place = held ? [...held.querySelectorAll(OPERABLE)].indexOf(focused) : -1;
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let next = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    const content = JSON.stringify(item);
    let child = old.get(name);
    old.delete(name);
    const current = child !== undefined && built.get(child) === content;
    changed += current ? 0 : 1;
    if (child === undefined && changed > AT_ONCE) {
      continue;
    }
    if (!current && changed <= AT_ONCE) {
      const fresh = build(item);
      fresh.dataset.key = name;
      built.set(fresh, content);
      if (child !== undefined) {
        next = next === child ? child.nextElementSibling : next;
        child.replaceWith(fresh);
      }
      child = fresh;
    }
    if (child === next) {
      next = child.nextElementSibling;
    } else if (child.nextElementSibling !== next || child.parentNode !== parent) {
      parent.insertBefore(child, next);
    }
  }
  if (changed > AT_ONCE) {
    // what is to go stays until all is there: a list that shrinks meanwhile would lose the place that it is scrolled to
    rest.set(parent, requestAnimationFrame(() => keyed(parent, items, key, build)));
  } else {
    old.forEach((child) => child.remove());
  }
  if (held && document.activeElement !== focused) {
    const now = [...parent.children].find((child) => child.dataset.key === held.dataset.key);
    const target = now?.querySelectorAll(OPERABLE)[place] ?? parent.closest('[tabindex]');
    target?.focus({preventScroll: true});
  }
}

/**
 * A table that scrolls sideways on narrow screens.
 *
 * @param {string} label what it shows, for screen readers
 * @param {string[]} heads of the columns; one that begins with `#` is right-aligned
 * @returns {{box: HTMLElement, body: HTMLElement}}
 */
export function table(label, heads) {
  const body = element('tbody');
  const head = element('tr', {}, ...heads.map((text) =>
    element('th', {scope: 'col', class: text.startsWith('#') ? 'number' : null}, text.replace(/^#/, ''))));
  const box = element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label},
    element('table', {}, element('caption', {class: 'hidden'}, label), element('thead', {}, head), body));
  return {box, body};
}

/** @param {string} text @returns {HTMLElement} a paragraph in place of what is not there */
export function empty(text) {
  return element('p', {class: 'empty'}, text);
}
