import { describe, expect, it } from 'vitest';
import { SCOPE_ANY } from '../../../services/domain/access/authorize.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import type { Mutate } from './all-gateways.ts';
import { runProbes } from './run-probes.ts';

const SEED = Number(process.env['RASTRO_ISOLATION_SEED'] ?? 1);
const PROBES = Number(process.env['RASTRO_ISOLATION_PROBES'] ?? 3_000);
const PROBES_MS_MAX = 600_000;
const PROBES_OF_A_MUTANT = 200;

/** What is read and names nothing of anyone: documents, figures, and limits. */
const SHOW_NO_THING = [
  'console-page', 'show-docs', 'show-interface', 'show-limits', 'show-openapi', 'show-pipeline',
  'show-problem', 'show-replay', 'show-tracking-limits',
];

/** The operations, one of them changed as code is that forgets something. */
const instead = (
  id: string, change: (operation: Operation, all: readonly Operation[]) => Operation,
): Mutate => (all) => all.map((each) => (each.id === id ? change(each, all) : each));
/** One that answers as another does, of which the caller has no rights. */
const answersAs = (id: string, other: string): Mutate => instead(id, (operation, all) => {
  const { handle } = all.find((each) => each.id === other) ?? operation;
  return { ...operation, handle };
});

describe('an answer', () => {
  it('[GEN-28] shows to no kind of caller anything of another, whatever is asked for', async () => {
    const seen = await runProbes({ seed: SEED, probes: PROBES, showNothing: SHOW_NO_THING });
    expect([seen.leaks, seen.faults, seen.looseness]).toEqual([[], [], []]);
    expect(seen.sent).toBeGreaterThanOrEqual(PROBES);
    const { operations, reading, callers } = seen;
    expect(seen.pairs.size).toBe(operations.length * callers.length);
    // What none of them could open, or saw anything by, would have proved nothing.
    expect(operations.filter((id) => !seen.opened.has(id))).toEqual([]);
    expect(reading.filter((id) => !seen.shown.has(id)).toSorted()).toEqual(SHOW_NO_THING);
  }, PROBES_MS_MAX);
});

describe('the probes', () => {
  it.each<[string, string, Mutate]>([
    ['is open to every token of its audience', 'list-platform-fleet',
      instead('list-platform-fleet', (operation) => (
        { ...operation, audience: 'rtt', scope: SCOPE_ANY } as Operation))],
    ['asks for the other scope of the platform', 'list-dead-letters',
      instead('list-dead-letters', (operation) => (
        { ...operation, scope: 'platform:read' } as Operation))],
    ['does not ask whose a device is', 'show-device',
      answersAs('show-device', 'show-platform-device')],
    ['does not ask whose a shipment is', 'show-journey',
      answersAs('show-journey', 'show-platform-journey')],
    ['lets all follow the facts of all', 'follow-facts',
      answersAs('follow-facts', 'follow-platform-facts')],
    ['lets all follow the devices of all', 'follow-fixes',
      answersAs('follow-fixes', 'follow-platform-fixes')],
    ['shows the platform what operators alone read', 'follow-platform-facts',
      answersAs('follow-platform-facts', 'follow-operator-facts')],
  ])('would find an operation that %s: %s', async (_what, id, mutate) => {
    const run = { seed: SEED, probes: PROBES_OF_A_MUTANT, only: [id] };
    const honest = await runProbes(run);
    const mutant = await runProbes({ ...run, mutate });
    expect(honest.leaks).toEqual([]);
    expect(mutant.leaks.length).toBeGreaterThan(0);
  }, PROBES_MS_MAX);
});
