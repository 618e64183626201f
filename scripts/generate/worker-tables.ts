import { GATEWAYS } from '../../services/gateways/gateways.ts';
import { WORKERS, type Worker } from '../../services/workers/workers.ts';

const rows: readonly Worker[] = WORKERS;

/** Every worker: what it reads, writes and needs. */
export function workerTable(): readonly string[] {
  return [
    '| Worker | Group reads | Writes | Needs | More Pods when |',
    '|---|---|---|---|---|',
    ...rows.map(({ id, reads, writes, needs, scale }) => `| \`${id}\` | ${
      list(reads, 'a due queue of the state store')} | ${list(writes, '—')} | ${needs.join(', ')} | ${
      scale === undefined ? 'never: it waits for others' : `${scale.delaySeconds} s late`} |`),
  ];
}

/** The stages of the workers, in their order, with the codes that each may give. */
export function workerStages(): readonly string[] {
  const byStages = Map.groupBy(rows, ({ stages }) => stages);
  return [...byStages].flatMap(([stages, workers]) => [
    `${workers.map(({ id }) => `\`${id}\``).join(', ')}:`,
    '',
    ...stages.map(({ name, codes }, index) =>
      `${index + 1}. **${name}**: ${codes.length === 0 ? 'no failure' : list(codes, '')}`),
    '',
  ]).slice(0, -1);
}

/** The programs of gateways and workers, each one Deployment, with their parts. */
export function programTable(): readonly string[] {
  const programs = Map.groupBy([
    ...GATEWAYS.map(({ program, part }) => ({ main: 'gateways', program, part })),
    ...rows.map(({ program, part }) => ({ main: 'workers', program, part })),
  ], ({ main, program }) => `\`services/${main}/main.ts ${program}\``);
  return [
    '| Program | Parts, for `--only` |',
    '|---|---|',
    ...[...programs].map(([program, parts]) =>
      `| ${program} | ${parts.map(({ part }) => part).join(', ')} |`),
  ];
}

function list(names: readonly string[], none: string): string {
  return names.length === 0 ? none : names.map((name) => `\`${name}\``).join(', ');
}
