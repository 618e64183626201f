import type { KitResult } from './verdict.ts';

/** The run that a page is made of. */
export interface KitsRun {
  readonly seconds: number;
  readonly killEverySeconds: number;
  readonly seed: number;
  readonly commit: string;
}

/** `docs/reference/faults-kits.md` of a run in which no kit failed. */
export function kitsPageOf(
  results: readonly KitResult[], { seconds, killEverySeconds, seed, commit }: KitsRun,
): string {
  const rows = results.map(({ kit, kills, measured, rows, lost, doubled, strange }) => (
    `| ${kit} | ${kills} | ${measured} | ${rows} | ${lost} | ${doubled} | ${strange} |`
  ));
  return `# Kits that are killed

Made by \`npm run faults -- --clients ${seconds}s --kill-every ${killEverySeconds} --seed ${seed}\` at commit \`${commit}\`.
Devices measure and hand each fix to [a client kit](../how-to/clients.md) with a spool on disk, over a slow
line. Each kit is killed with -9 every ${killEverySeconds} s, in some kills while its calls or their answers are on the
line. Afterwards the fixes that were measured are compared with the rows of \`v_locations\`.

| Kit | Kills | Fixes measured | Rows | Lost | Doubled | Of no fix |
|---|---|---|---|---|---|---|
${rows.join('\n')}

${results[0]?.repeats ?? 0} fixes were accepted more than once in this run, and are one row each.
[How it works](../../test/faults/clients/README.md); with \`--mutants\`, changed copies of the kits must lose fixes.
`;
}
