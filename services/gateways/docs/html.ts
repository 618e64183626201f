/** A text as it may stand between tags and in quoted attributes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A sentence whose `code` is marked as such. */
export function sentence(text: string): string {
  return escaped(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}

/** A table; its cells are HTML already. */
export function table(
  heads: readonly string[], rows: readonly (readonly string[])[],
): string {
  const row = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('\n');
  return `<table><thead>${row(heads, 'th')}</thead><tbody>\n${body}\n</tbody></table>`;
}

/** Something that opens to a piece of JSON. */
export function folded(title: string, value: unknown): string {
  const json = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return `<details><summary>${title}</summary><pre>${escaped(json)}</pre></details>`;
}
