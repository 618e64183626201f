import { describe, expect, it, vi } from 'vitest';
import { listIngests } from '../../../services/gateways/query/operations/list-ingests.ts';
import type { AcceptedCall } from '../../../services/kernel/ingest.ts';
import { callOf, written } from '../../support/calls.ts';
import { anOutcome, fakeItemOutcomes } from '../../support/fake-item-outcomes.ts';

const NOW_MS = Date.UTC(2026, 10, 27, 12);
const HOUR_MS = 3_600_000;
const TIME = { clock: { nowMs: () => NOW_MS }, pause: () => new Promise<void>(() => undefined) };
const [OWN, OTHER] = ['100000000000001', '200000000000002'];
const idOf = (at: number): string => `0198c0de-0000-7000-8000-00000000000${at}`;

function opened() {
  const itemOutcomes = fakeItemOutcomes();
  const [ofRtt, ofTracking] = listIngests({ itemOutcomes, ...TIME });
  const ask = async (query: Readonly<Record<string, string>> = {}, clientId = OWN) => (
    written(ofRtt!, await ofRtt!.handle(callOf({ clientId, query }))));
  return { itemOutcomes, ask, ofRtt: ofRtt!, ofTracking: ofTracking! };
}

describe('the accepted calls of a client', () => {
  it('are those of 24 hours, the newest first, with the ids of their outcomes', async () => {
    const { itemOutcomes, ask } = opened();
    itemOutcomes.add(OWN, idOf(1), anOutcome({ received_at_ms: NOW_MS - 25 * HOUR_MS }));
    itemOutcomes.add(OWN, idOf(2), anOutcome({ received_at_ms: NOW_MS - HOUR_MS }));
    itemOutcomes.add(OTHER, idOf(3), anOutcome({ received_at_ms: NOW_MS - 2_000 }));
    itemOutcomes.add(OWN, idOf(4), anOutcome({
      kind: 'notifications', items: 1, received_at_ms: NOW_MS - 1_000,
    }));
    expect(await ask()).toMatchObject({
      status: 200,
      body: { calls: [
        { ingest_id: idOf(4), received_at: '2026-11-27T11:59:59.000Z', kind: 'notifications', items: 1 },
        {
          ingest_id: idOf(2), received_at: '2026-11-27T11:00:00.000Z', kind: 'locations',
          provider: 'acme', items: 12,
        },
      ] },
    });
    expect((await ask({ limit: '1' })).body['calls']).toHaveLength(1);
    expect((await ask({}, OTHER)).body['calls']).toMatchObject([{ ingest_id: idOf(3) }]);
  });

  it.each(['0', '101', 'all', '1e1', ''])('refuse the limit %j', async (limit) => {
    expect(await opened().ask({ limit })).toMatchObject({
      status: 400, body: { errors: [{ pointer: '/query/limit' }] },
    });
  });

  it('are read once at a time for a user: eight more wait, by either address', async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<readonly AcceptedCall[]>((resolve) => { letGo = () => resolve([]); });
    const newest = vi.fn(() => held);
    const [ofRtt, ofTracking] = listIngests({
      itemOutcomes: { newest }, ...TIME,
    });
    const nine = Array.from({ length: 9 }, async (_, at) => (
      await (at % 2 === 0 ? ofRtt! : ofTracking!).handle(callOf({ clientId: OWN }))));
    await vi.waitFor(() => { expect(newest).toHaveBeenCalledOnce(); });
    expect(await ofTracking!.handle(callOf({ clientId: OWN })))
      .toMatchObject({ kind: 'refusal', code: 'rate_limited', retryAfterSeconds: 1 });
    const other = ofRtt!.handle(callOf({ clientId: OTHER }));
    letGo();
    for (const answer of await Promise.all([...nine, other])) {
      expect(answer).toMatchObject({ status: 200 });
    }
  });
});
