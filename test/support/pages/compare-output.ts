import { stripVTControlCharacters } from 'node:util';

const LEFT_OUT = '…';

/**
 * True when what was printed is what a page shows. `…` in a line is any text of that line, a line
 * that is only `…` any lines; widths of columns do not count.
 */
export function isAsShown(shown: string, printed: string): boolean {
  const lines = plain(shown).map((line) => (line === LEFT_OUT
    ? '(?:.*\\n)*?'
    : `${line.split(LEFT_OUT).map((part) => RegExp.escape(part)).join('.*')}\\n`));
  return new RegExp(`^${lines.join('')}$`).test(`${plain(printed).join('\n')}\n`);
}

/** The lines without colours, line ends of HTTP, widths of columns and empty lines. */
function plain(text: string): readonly string[] {
  return stripVTControlCharacters(text).split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim()).filter((line) => line !== '');
}
