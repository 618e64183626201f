import { describe, expect, it } from 'vitest';
import { checkEvidence } from '../../faults/checker/check-evidence.ts';
import { TOPIC } from '../../faults/checker/topics.ts';
import { append, aView, type Draft } from '../../support/fault-draft.ts';
import { aGoodRun } from '../../support/fault-evidence.ts';
import { facts, fixesCame, LAST_ROW, reset } from '../../support/fault-viewers.ts';

const blamed = (run: Draft): readonly string[] => checkEvidence(run).verdicts
  .filter(({ invariant }) => invariant === 'I20')
  .flatMap(({ violations }) => violations.map(({ kind }) => kind));

describe('what viewers of the live feeds may get', () => {
  it('is a whole map behind a reset, as a copy that began again sends it', () => {
    const run = aGoodRun();
    const whole = fixesCame([[...LAST_ROW, 'globex', '4']]);
    run.views.push(reset('map', 800, 'too_far'), aView('map', 801, whole));
    expect(blamed(run)).toEqual([]);
  });

  it('is a fact again behind a reset that a fault explains, and only then', () => {
    const run = aGoodRun();
    run.views.push(reset('facts', 900, 'ahead'), aView('facts', 901, facts(1)));
    expect(blamed(run)).toEqual([]);
    run.faults = [];
    expect(blamed(run)).toEqual(['undue-reset']);
  });

  it('is a reset where retention or a new topic is the fault', () => {
    const run = aGoodRun();
    run.views.push(reset('facts', 900, 'removed'), reset('facts', 901, 'remade'));
    expect(blamed(run)).toEqual(['undue-reset', 'undue-reset']);
    run.run = { ...run.run, allows: ['log-lost'] };
    expect(blamed(run)).toEqual([]);
  });

  it('is nothing of what was before a first call, nor what lay before a call without an id', () => {
    const run = aGoodRun();
    const views = run.views.filter(({ viewer }) => viewer === 'facts');
    run.views.splice(0, Infinity, ...run.views.filter(({ viewer }) => viewer === 'map'),
      ...views.filter((_, at) => at !== 2));
    expect(blamed(run)).toEqual([]);
    const answered = run.views.findLastIndex(({ event }) => event === 'answer');
    run.views[answered] = { ...run.views[answered]!, begins: true };
    run.views.splice(answered, 0, aView('facts', 222, facts(0)));
    expect(blamed(run)).toEqual([]);
  });

  it('is not yet a fact of the last moments', () => {
    const run = aGoodRun();
    const started = run.log.findLast(({ topic }) => topic === TOPIC.lifecycle)!;
    const add = (at: number) => append(run, TOPIC.lifecycle, 'dev-9', started.value!, {
      partition: 1, timestampMs: run.run.epoch.at_ms + at,
    });
    add(18_000);
    expect(blamed(run)).toEqual([]);
    add(14_000);
    expect(blamed(run)).toEqual(['lost', 'lost']);
  });

  it('counts how often viewers called, and when their maps were fresh', () => {
    const run = aGoodRun();
    run.run = { ...run.run, healed_ns: '300000000' };
    expect(checkEvidence(run).counts).toMatchObject({
      viewers: 2, view_calls: 4, view_resets: 0, maps_fresh_after_ms: 401,
    });
    const { live: _, ...without } = run.run;
    run.run = without;
    expect(checkEvidence(run).counts).not.toHaveProperty('viewers');
  });
});
