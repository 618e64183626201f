/** A value of a block, and whether it is only offered: the app shows it with an empty check box. */
export type Pair = readonly [name: string, value: string, isOffered?: boolean];

/** A block of names and values in Bruno's text form; nothing where there are none. */
export function pairs(block: string, entries: readonly Pair[]): string {
  if (entries.length === 0) return '';
  const lines = entries.map(([name, value, isOffered = false]) => (
    `  ${isOffered ? '~' : ''}${name}: ${value}\n`
  ));
  return `${block} {\n${lines.join('')}}\n`;
}

/** A block of text. Its lines are indented, as a line that begins with a brace ends a block. */
export function text(block: string, content: string): string {
  if (content === '') return '';
  const lines = content.split('\n').map((line) => line === '' ? '' : `  ${line}`);
  return `${block} {\n${lines.join('\n')}\n}\n`;
}

/** A whole file: the blocks that there are, an empty line between two. */
export function file(...blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n');
}

/** A list of words as the value of a pair. */
export function words(list: readonly string[]): string {
  return `[\n${list.map((word) => `    ${word}\n`).join('')}  ]`;
}
