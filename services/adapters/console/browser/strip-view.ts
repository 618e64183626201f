import { el, svg } from './elements.ts';
import { SHEET } from './strips.ts';

/** So wide is a mark of one moment, of {@link SHEET}. */
const MARK_WIDTH = 2;

/** A strip with its name; what is drawn on it must be a text elsewhere. */
export function stripView(
  name: string, drawn: readonly SVGElement[], size: 'low' | '' = '',
): HTMLElement {
  const { width, height } = SHEET;
  return el('div', { class: `strip ${size}` }, el('small', {}, name), svg('svg', {
    'viewBox': `0 0 ${width} ${height}`, 'preserveAspectRatio': 'none', 'aria-hidden': 'true',
  }, ...drawn));
}

/** A bar of the height of a strip. */
export function bar(x: number, width: number, name = 'on'): SVGElement {
  return svg('rect', {
    x: x.toFixed(1), y: 0, width: Math.max(0, width).toFixed(1), height: SHEET.height, class: name,
  });
}

/** The mark of one moment. */
export function mark(x: number, name: string): SVGElement {
  return bar(x - MARK_WIDTH / 2, MARK_WIDTH, name);
}
