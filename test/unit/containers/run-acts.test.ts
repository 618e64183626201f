import { describe, expect, it } from 'vitest';
import type { Act, ActFinding, ContainerStage } from '../../containers/acts/act.ts';
import { lineOf, prove, runActs } from '../../containers/run-acts.ts';

const GOOD: ActFinding = { seen: 'all', complaints: [] };
const STAGE = { print: () => undefined } as unknown as ContainerStage;
const STAYS = new AbortController().signal;

function act(name: string, run: () => Promise<ActFinding>, offences: Act['offences'] = []): Act {
  return { name, does: name, run, offences };
}

describe('acts', () => {
  it('run in their order; after one that failed only the last', async () => {
    const rows = await runActs([
      act('one', () => Promise.resolve(GOOD)),
      act('two', () => Promise.reject(new Error('it broke'))),
      act('three', () => Promise.resolve(GOOD)),
      act('four', () => Promise.resolve(GOOD)),
    ], STAGE, (each) => each.run(STAGE), STAYS);
    expect(rows.map(({ complaints }) => complaints)).toEqual([
      [], ['it broke'], ['not run: the act two failed'], [],
    ]);
  });

  it('run after one that failed aside', async () => {
    const rows = await runActs([
      { ...act('one', () => Promise.reject(new Error('it broke'))), isAside: true },
      act('two', () => Promise.resolve(GOOD)),
      act('three', () => Promise.resolve(GOOD)),
    ], STAGE, (each) => each.run(STAGE), STAYS);
    expect(rows.map(({ complaints }) => complaints)).toEqual([['it broke'], [], []]);
  });

  it('do not run once the run is ended', async () => {
    const rows = await runActs(
      [act('one', () => Promise.resolve(GOOD))], STAGE, (each) => each.run(STAGE), AbortSignal.abort(),
    );
    expect(rows.map(({ complaints }) => complaints)).toEqual([['not run: the run was ended']]);
  });

  it('are printed with all that is wrong', () => {
    const row = { name: 'one', does: '', took: '3 s', seen: 'all' };
    expect(lineOf({ ...row, complaints: [] }, 1)).toEqual(['1 one          passed    3 s  all']);
    expect(lineOf({ ...row, complaints: ['this', 'that'] }, 2))
      .toEqual(['2 one          FAILED    3 s', '    this', '    that']);
  });
});

describe('the proof of an act', () => {
  const seeded = { is: false };
  const offence = {
    name: 'it is broken', said: /broken/,
    seed: () => {
      seeded.is = true;
      return Promise.resolve(() => { seeded.is = false; });
    },
  };
  const honest = (): Promise<ActFinding> => (
    Promise.resolve({ seen: '', complaints: seeded.is ? ['something is broken'] : [] }));

  it('passes when each offence is named and nothing is wrong without it', async () => {
    expect((await prove(act('one', honest, [offence]), STAGE)).complaints).toEqual([]);
    expect(seeded.is).toBe(false);
  });

  it('fails when an offence is not named', async () => {
    const blind = (): Promise<ActFinding> => Promise.resolve(GOOD);
    expect((await prove(act('one', blind, [offence]), STAGE)).complaints)
      .toEqual(['unnoticed: it is broken; said: nothing']);
  });

  it('fails when the act complains without an offence', async () => {
    const angry = (): Promise<ActFinding> => Promise.resolve({ seen: '', complaints: ['it is broken'] });
    expect((await prove(act('one', angry, [offence]), STAGE)).complaints)
      .toEqual(['without an offence: it is broken']);
  });
});
