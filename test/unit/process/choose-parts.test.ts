import { describe, expect, it } from 'vitest';
import { GATEWAY_ROOMS, GATEWAYS } from '../../../services/gateways/gateways.ts';
import { chooseParts } from '../../../services/process/choose-parts.ts';
import { watchesState, WORKERS, type WorkerId } from '../../../services/workers/workers.ts';

const ALL = WORKERS.map(({ id }) => id);
const chosen = (...args: readonly string[]): readonly WorkerId[] =>
  chooseParts<WorkerId>(args, WORKERS);

describe('the parts that a process runs', () => {
  it('are all without an argument or by `all`, in the order of the table', () => {
    expect(chosen()).toEqual(ALL);
    expect(chosen('all')).toEqual(ALL);
    expect(chooseParts(['all', 'live'], GATEWAYS)).toEqual(GATEWAY_ROOMS);
    expect(chooseParts(['all'], GATEWAYS)).toEqual(GATEWAY_ROOMS.filter((id) => !['live', 'operator'].includes(id)));
  });

  it('are those of the named programs, or single ones by their id', () => {
    const own = WORKERS.filter(({ program }) => program === 'projector').map(({ id }) => id);
    expect(chosen('projector')).toEqual(own);
    expect(chosen('parties.feeds')).toEqual(['parties.feeds']);
    expect(chooseParts(['control', '--only', 'oauth,docs'], GATEWAYS)).toEqual(['oauth', 'docs']);
  });

  it('are fewer by `--only`', () => {
    expect(chosen('projector', '--only', 'access')).toEqual(['projector.access']);
    expect(chosen('table-writer', '--only', 'overflow')).toEqual(['table-writer.overflow']);
  });

  it.each([['keeper'], ['projector', '--only', 'feeds'], ['journey', '--only', '']])(
    'are refused where they are unknown: %s %s %s', (...args) => {
      expect(() => chosen(...args)).toThrow(/There are projector \(personal, .*\), journey/);
    },
  );
});

describe('the watch over the state store', () => {
  it('runs with every part of the projector alone', () => {
    const watching = ALL.filter((id) => watchesState([id]));
    expect(watching).toEqual(chosen('projector'));
  });
});
