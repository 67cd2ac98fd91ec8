const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an SVG element. All properties are attributes.
 * @param {string} tag
 * @param {Object<string, string|number>} [attributes]
 * @param {...(Node|string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
