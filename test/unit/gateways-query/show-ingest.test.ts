import { describe, expect, it } from 'vitest';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import { ingestResource } from '../../../services/gateways/query/ingest-resource.ts';
import { showIngest } from '../../../services/gateways/query/operations/show-ingest.ts';
import { notificationErrors } from '../../../services/gateways/common/notification-errors.ts';
import { anOutcome, fakeItemOutcomes } from '../../support/fake-item-outcomes.ts';
import { callOf } from '../../support/calls.ts';
import { EDGE_TOKEN, GOOD_FACTS, openEdge } from '../../support/edge.ts';

const ID = '0198c0de-0000-7000-8000-000000000001';
const NONE = anOutcome({}).outcomes;

describe('the item outcomes of a call', () => {
  it('[GEN-07] is summed up over its records, and settled once none of them waits', () => {
    const applied = anOutcome({
      kind: 'notifications', items: 1, outcomes: { ...NONE, stored: 1 }, rule: 'first',
    });
    const classified = anOutcome({
      kind: 'notifications', items: 1, outcomes: { ...NONE, stored: 0, out_of_order: 1 },
      rule: 'older_than_applied', unmapped: true,
    });
    const waiting = anOutcome({ items: 1, outcomes: { ...NONE, stored: 0 }, waiting: 1 });
    expect(ingestResource(ID, [applied, classified])).toMatchObject({
      ingest_id: ID, items: 2, settled: true, waiting: 0,
      outcomes: { ...NONE, stored: 1, out_of_order: 1 },
      records: [
        { state: 'settled', rule: 'first', unmapped: false },
        { state: 'settled', rule: 'older_than_applied', unmapped: true },
      ],
    });
    expect(ingestResource(ID, [applied, waiting])).toMatchObject({
      items: 2, settled: false, waiting: 1, records: [{}, { state: 'waiting', waiting: 1 }],
    });
  });

  it('names step and code of dead letters, and no rule where none applied', () => {
    const deadLetter = { stage: 'consume', code: 'record_invalid' };
    const [record] = ingestResource(ID, [anOutcome({
      outcomes: { ...NONE, stored: 0, dead_lettered: 12 }, deadLetter,
    })]).records;
    expect(record).toMatchObject({ state: 'settled', ...deadLetter });
    expect(record).not.toHaveProperty('rule');
  });

  it('goes to its sender alone; others, and early callers, shall ask again', async () => {
    const itemOutcomes = fakeItemOutcomes();
    itemOutcomes.add('1', ID, anOutcome());
    const { handle } = showIngest('show-ingest', itemOutcomes, problemErrors);
    const asking = (clientId: string, ingest_id: string) => handle({
      ...callOf(), params: { ingest_id },
      caller: { clientId, userId: '7', audience: 'rtt', scopes: [], providers: [] },
    });
    expect(await asking('1', ID.toUpperCase())).toMatchObject({
      status: 200, body: { ingest_id: ID, settled: true },
    });
    const refusal = await asking('2', ID);
    expect(refusal).toMatchObject({ kind: 'refusal', code: 'ingest_not_found' });
    expect(await asking('1', 'no-such-call')).toEqual(refusal);
    const { status, headers } = problemErrors.write(refusal as never, 'r', '/');
    expect([status, headers['Retry-After']]).toEqual([404, '2']);
  });
});

describe('the receipt of an own call', () => {
  it.each([
    ['rtt', ['rtt:locations'], '/shipping/rtt/ingest/', 200],
    ['logistic-feed', ['tracking:push'], '/shipping/tracking/ingest/', 200],
    ['revoke', ['rtt:locations'], '/shipping/rtt/ingest/', 403],
    ['rtt', ['tracking:push'], '/shipping/tracking/ingest/', 403],
  ])('[GEN-35] with a token of %s and %j: %s gives %i', async (audience, scopes, path, status) => {
    const itemOutcomes = fakeItemOutcomes();
    const caller = { ...GOOD_FACTS.caller!, audience, scopes };
    itemOutcomes.add(caller.clientId, ID, anOutcome());
    const edge = await openEdge({
      operations: [
        showIngest('show-ingest', itemOutcomes, problemErrors),
        showIngest('show-tracking-ingest', itemOutcomes, notificationErrors),
      ],
    });
    try {
      edge.admit({ ...GOOD_FACTS, device: undefined, caller });
      const answer = await fetch(`${edge.url}${path}${ID}?country_id=BR`, {
        headers: { authorization: `Bearer ${EDGE_TOKEN}` },
      });
      expect(answer.status).toBe(status);
    } finally {
      await edge.close();
    }
  });
});
