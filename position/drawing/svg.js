const SVG = "http://www.w3.org/2000/svg";

/** Creates an element. A program without a page writes elements as text. */
let create = (/** @type {string} */ tag) => document.createElementNS(SVG, tag);

/**
 * Runs a drawing whose elements another function creates.
 * @template Result
 * @param {(tag: string) => any} creator
 * @param {() => Result} draw which must not wait
 * @returns {Result}
 */
export function withElements(creator, draw) {
  const before = create;
  create = creator;
  try {
    return draw();
  } finally {
    create = before;
  }
}

/**
 * Creates an SVG element. All properties are attributes.
 * @param {string} tag
 * @param {Object<string, string|number>} [attributes]
 * @param {...(Node|string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = create(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
