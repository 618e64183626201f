/** What may be said of an element: attributes, and what is done at an event (`onclick`). */
type Attributes = Readonly<
  Record<string, string | boolean | number | undefined | ((event: Event) => void)>
>;

/** What is inside of an element; texts are never read as HTML. */
type Child = Node | string | undefined;

/** Makes an element. `false` and `undefined` leave an attribute out. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name, attributes: Attributes = {}, ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(attribute.slice(2), value);
    else if (value !== undefined && value !== false) {
      made.setAttribute(attribute, value === true ? '' : String(value));
    }
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Makes an element of a picture; what the picture shows must be a text elsewhere. */
export function svg(
  name: string, attributes: Readonly<Record<string, string | number>>, ...children: readonly Node[]
): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, String(value));
  }
  made.append(...children);
  return made;
}

/** A table of two columns: what, and its value. What has no value is left out. */
export function facts(rows: readonly (readonly [string, Child])[]): HTMLElement {
  return el('dl', { class: 'facts' }, ...rows.flatMap(([name, value]) => (
    value === undefined || value === '' ? [] : [el('dt', {}, name), el('dd', {}, value)]
  )));
}
