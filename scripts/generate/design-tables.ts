import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOPICS } from '../../schemas/generated/catalog.ts';

const DAY_MS = 86_400_000;
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

/** Every topic as the catalog has it. */
export function topicTable(): readonly string[] {
  return [
    '| Topic | Key | Partitions | Kept | Written by | Holds |',
    '|---|---|---|---|---|---|',
    ...Object.values(TOPICS).map((topic) => `| \`${topic.name}\` | ${topic.key} | ${
      topic.partitions} | ${kept(topic)} | ${
      topic.written_by.join(', ') || 'operator'} | ${topic.description} |`),
  ];
}

function kept({ cleanup, retention_ms }: (typeof TOPICS)[keyof typeof TOPICS]): string {
  if (cleanup === 'compact') return 'compacted';
  return retention_ms < 0 ? 'forever' : `${retention_ms / DAY_MS} d`;
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
