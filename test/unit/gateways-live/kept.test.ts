import { describe, expect, it } from 'vitest';
import { createFleets } from '../../../services/gateways/live/fixes/fleets.ts';
import { jsonUpdate } from '../../../services/gateways/live/fixes/updates.ts';
import { feedFact, textFor } from '../../../services/gateways/live/facts/feed-fact.ts';
import { lastFix, post } from '../../support/live-feeds.ts';

/** Everything that can be reached from a value. */
function reached(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return [value];
  return [value, ...Object.values(value).flatMap(reached)];
}

describe('what a live gateway keeps of a record', () => {
  it('is of a fact nothing of the body that it is about, which may be of many kilobytes', () => {
    const record = post(7, 'a', 1, 48);
    const fact = feedFact(record, 0);
    if (fact === undefined) throw new Error('This post is a receipt.');
    expect(JSON.parse(textFor(fact, 'platform'))).toMatchObject({ kind: 'receipt' });
    const held = reached(fact);
    expect(held).toContain(record.headers);
    expect(held).not.toContain(record.value);
    expect(held).not.toContain(record);
  });

  it('is of a device its newest fix alone, with nothing of the one before', () => {
    const fleets = createFleets();
    fleets.seed({ ...lastFix('a', 0, 1), speed: 13, bearing: 90, ignition: true, provider: 'old' });
    fleets.seed({ ...lastFix('a', 1, 3) });
    const text = jsonUpdate({
      devices: [...fleets.of('all').between(0, fleets.change())], since: 0, hasMore: false, atMs: 0,
      id: undefined, showsClients: true, showsStates: false,
    }).toString();
    expect(text).toContain('["a",1764000001,3,11.5,null,null,null,"acme","1"]');
  });
});
