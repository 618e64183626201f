import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders whose own folders are rooms. */
const FLOORS = ['services', 'infra', 'test'];

/** Every room with the first sentence of its README. */
export function roomTable(root: string): readonly string[] {
  return ['| Room | Is for |', '|---|---|', ...FLOORS.flatMap((floor) => rowsOf(root, floor))];
}

/** Every adapter with the first sentence of its README. */
export function adapterTable(root: string): readonly string[] {
  return ['| Adapter | Is for |', '|---|---|', ...rowsOf(root, 'services/adapters')];
}

function rowsOf(root: string, floor: string): readonly string[] {
  return readdirSync(join(root, floor), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(floor, name))
    .filter((room) => existsSync(join(root, room, 'README.md')))
    .toSorted()
    .map((room) => `| [\`${room}/\`](../${room}/README.md) | ${sentenceOf(join(root, room))} |`);
}

/** The first sentence below the title. */
function sentenceOf(room: string): string {
  const [, , paragraph = ''] = /^# .*\n(\s*\n)([^]*?)(?=\n\s*\n|$)/
    .exec(readFileSync(join(room, 'README.md'), 'utf8')) ?? [];
  const text = paragraph.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return (/^.*?[.:](?= [A-Z]|$)/.exec(text)?.[0] ?? text).replace(/[.:]$/, '');
}
