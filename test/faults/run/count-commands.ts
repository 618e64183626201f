import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryLine } from '../history.ts';
import { RUN_FILES, type ProviderRequest } from '../run-files.ts';

/** The commands of one run and how often each arrived, by what clients and providers recorded. */
export function countCommands(dir: string, prefix: string): readonly string[] {
  const isOurs = (plate: string): boolean => plate.startsWith(`plate-${prefix}-`);
  const tries = linesOf<HistoryLine>(dir, RUN_FILES.history)
    .filter(({ args }) => isOurs(args.command_mark ?? ''));
  const ids = new Map<string, Set<unknown>>();
  for (const { outcome, args, body } of tries) {
    const own = ids.get(args.command_mark ?? '') ?? new Set();
    ids.set(args.command_mark ?? '', own);
    if (outcome === 'ok') own.add((body as Readonly<Record<string, unknown>>)['command_id']);
  }
  const ends = new Map<string, number>();
  for (const { body, status } of linesOf<ProviderRequest>(dir, RUN_FILES.provider)) {
    const plate = plateOf(body);
    if (!isOurs(plate) || status === null || status >= 500) continue;
    ends.set(plate, (ends.get(plate) ?? 0) + 1);
  }
  const count = (fits: (line: HistoryLine) => boolean): number => tries.filter(fits).length;
  const most = (numbers: Iterable<number>): number => (
    [...numbers].reduce((high, each) => Math.max(high, each), 0)
  );
  return [
    `${ids.size} commands in ${tries.length} tries: ${count(({ status }) => status === null)} without`
      + ` an answer, ${count(({ status }) => (status ?? 0) >= 500)} answered 5xx`,
    `${ends.size} reached their provider; most often that one did: ${most(ends.values())}`,
    `most ids in the answers to one: ${most([...ids.values()].map(({ size }) => size))}`,
  ];
}

function plateOf(body: unknown): string {
  const { transport } = body as { readonly transport?: { readonly license_plate?: string } };
  return transport?.license_plate ?? '';
}

function linesOf<Line>(dir: string, file: string): readonly Line[] {
  return readFileSync(join(dir, file), 'utf8').split('\n')
    .flatMap((line) => line === '' ? [] : [JSON.parse(line) as Line]);
}
