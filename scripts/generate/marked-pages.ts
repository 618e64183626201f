import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withMarkedPart } from './marked.ts';
import { openTable, readerTable, sealedTable } from './personal.ts';
import type { Source } from './source.ts';

/**
 * The pages that are written by hand and have generated parts: their paths and whole texts. What
 * makes the parts is imported only here, because it reads files that were generated just before.
 */
export async function markedPages(
  root: string, source: Source,
): Promise<readonly (readonly [page: string, text: string])[]> {
  const { stageList, stageTable } = await import('./request-stages.ts');
  const { programTable, workerStages, workerTable } = await import('./worker-tables.ts');
  const { adapterTable, roomTable } = await import('./design-tables.ts');
  const pages: readonly (readonly [string, Readonly<Record<string, readonly string[]>>])[] = [
    ['services/gateways/README.md', { stages: stageList() }],
    ['services/adapters/http/README.md', { stages: stageTable() }],
    ['services/workers/README.md', { workers: workerTable(), stages: workerStages() }],
    ['docs/reference/personal-data.md', {
      sealed: sealedTable(source), readers: readerTable(source), open: openTable(source),
    }],
    ['docs/design.md', {
      rooms: roomTable(root), adapters: adapterTable(root), programs: programTable(),
      workers: workerTable(),
    }],
  ];
  return pages.map(([page, parts]) => [page, Object.entries(parts).reduce(
    (text, [name, lines]) => withMarkedPart(text, name, lines),
    readFileSync(join(root, page), 'utf8'),
  )] as const);
}
