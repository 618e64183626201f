import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDice } from '../../faults/dice.ts';
import { countCommands } from '../../faults/run/count-commands.ts';
import { RUN_FILES } from '../../faults/run-files.ts';
import type { Outgoing } from '../../faults/workload/caller.ts';
import { repeatCommands } from '../../faults/workload/repeated-commands.ts';
import { SCENARIOS } from '../../faults/scenarios/index.ts';

const COUNT = 200;

async function calls(): Promise<readonly Outgoing[]> {
  const made: Outgoing[] = [];
  let count = 0;
  await repeatCommands({
    caller: {
      name: 'platform',
      call: (outgoing) => {
        made.push(outgoing);
        return Promise.resolve({ outcome: 'ok', status: 202, body: {} });
      },
    },
    authorizationToken: 'a', commandToken: 'c', dice: createDice('repeats'),
    unique: (name) => `${name}-run-${count += 1}`, personalName: '', providers: ['acme', 'globex'],
    stopping: new AbortController().signal, pace: () => Promise.resolve(),
    authorized: () => undefined,
  }, 1_000, COUNT);
  return made;
}

describe('the workload of repeated commands', () => {
  it('issues each command once, half of them by the id of their body alone', async () => {
    const made = await calls();
    const marks = Map.groupBy(made, ({ args }) => args.command_mark);
    expect(marks.size).toBe(COUNT);
    const firsts = [...marks.values()].map(([first]) => first!);
    expect(firsts.filter(({ headers }) => headers === undefined)).toHaveLength(COUNT / 2);
    expect(new Set(firsts.map(({ args }) => args.transport_id)).size).toBe(COUNT);
  });

  it('loses answers, and repeats some that came, the same body at the other gateway', async () => {
    const made = await calls();
    expect(made.some(({ leaveMs }) => leaveMs !== undefined)).toBe(true);
    const repeated = [...Map.groupBy(made, ({ args }) => args.command_mark).values()]
      .filter((own) => own.length > 1);
    expect(repeated.length).toBeGreaterThan(0);
    for (const [first, second] of repeated) {
      expect(second!.body).toEqual(first!.body);
      expect(second!.headers).toEqual(first!.headers);
      expect(second!.gateway).toBe(1 - first!.gateway!);
    }
  });

  it('is in the short matrix in a small size', () => {
    const small = SCENARIOS.find(({ name }) => name === 'repeated-commands');
    expect(small).toMatchObject({ isSmoke: true, commands: 300 });
  });
});

describe('the count of commands', () => {
  it('says how often each reached its provider, and under how many ids it was answered', () => {
    const dir = mkdtempSync(join(tmpdir(), 'rastro-count-'));
    const write = (file: string, lines: readonly object[]): void => {
      writeFileSync(join(dir, file), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    };
    const tried = (mark: string, outcome: string, status: number | null, command_id?: string) => ({
      op: 'command', outcome, status, args: { command_mark: `plate-${mark}` }, body: { command_id },
    });
    write(RUN_FILES.history, [
      tried('r-1', 'info', null), tried('r-1', 'info', 500), tried('r-1', 'ok', 202, 'c1'),
      tried('r-2', 'ok', 202, 'c2'), tried('r-2', 'ok', 202, 'c3'),
      tried('other-1', 'ok', 202, 'c4'),
    ]);
    const reached = (mark: string, status: number | null) => (
      { body: { transport: { license_plate: `plate-${mark}` } }, status }
    );
    write(RUN_FILES.provider, [
      reached('r-1', 500), reached('r-1', null), reached('r-1', 200), reached('r-2', 400),
      reached('r-2', 200), reached('other-1', 200),
    ]);
    expect(countCommands(dir, 'r')).toEqual([
      '2 commands in 5 tries: 1 without an answer, 1 answered 5xx',
      '2 reached their provider; most often that one did: 2',
      'most ids in the answers to one: 2',
    ]);
    rmSync(dir, { recursive: true });
  });
});
