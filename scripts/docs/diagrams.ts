import { renderMermaidSVG } from 'beautiful-mermaid';

/**
 * A Mermaid diagram as an SVG for the inside of a page: no script, no style of its own, nothing
 * from elsewhere. Its colours are variables of the style sheet, so that they follow light and
 * dark.
 */
export function drawDiagram(source: string, id: string): string {
  const drawn = renderMermaidSVG(source)
    .replaceAll(/<style>[^]*?<\/style>\s*/g, '')
    .replace(/(<svg [^>]*?)\s+style="[^"]*"/, '$1 role="img"')
    .replaceAll(/ data-[a-z-]+="[^"]*"/g, '')
    .replaceAll(/\n\s*/g, '\n');
  // Two diagrams of a page would else have marks of one name.
  const named = drawn.replaceAll(/ id="([^"]+)"/g, ` id="${id}-$1"`)
    .replaceAll(/url\(#([^)]+)\)/g, `url(#${id}-$1)`);
  if (/<(script|style|image|foreignObject|a)\b| style=| on[a-z]+=|href=|@import/i.test(named)) {
    throw new Error('the drawing has something that the policy of the site forbids');
  }
  const words = textOf(named);
  const lost = labelsOf(source).filter((label) => !words.includes(label));
  if (lost.length > 0) {
    throw new Error(`the drawing lacks ${lost.join(', ')}; write a label where its node is named first`);
  }
  return named;
}

/** Lines of the labels of nodes, edges and transitions. */
function labelsOf(source: string): readonly string[] {
  return [/"([^"]+)"/g, /\|([^|\n]+)\|/g, /(?:-->|->>)[^:|"\n]*:(.+)$/gm]
    .flatMap((pattern) => [...source.matchAll(pattern)])
    .flatMap(([, label = '']) => label.split(/<br\s*\/?>|\\n/))
    .map((line) => line.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim());
}

/** What a person reads of a drawing. */
function textOf(svg: string): string {
  return svg.replaceAll(/<[^>]*>/g, ' ').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
}
