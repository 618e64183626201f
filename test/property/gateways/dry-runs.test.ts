import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedBodies } from '../../support/every-body/bodies.ts';
import {
  BODY_OPERATIONS, openBodyEdge, type BodyEdge,
} from '../../support/every-body/edge.ts';
import { dryRunOf } from '../../support/dry-runs.ts';

const SEEDS = [1, 2, 3];
const BODIES_EACH = 40;

let edge: BodyEdge;
beforeAll(async () => { edge = await openBodyEdge(); });
afterAll(() => edge.close());

/** An answer without the ids that each call has. */
const withoutIds = (text: string): string => text.replaceAll(/[0-9a-f]{32}/g, 'id');

describe('a dry run of a changed body', () => {
  it.each(SEEDS)('is refused as the call is, else taken as it is, and leaves nothing (seed %i)', async (seed) => {
    const counts = { taken: 0, refused: 0 };
    const end = BODIES_EACH * BODY_OPERATIONS.length;
    for (const { number, id, body } of changedBodies(seed, 0, end)) {
      // Whatever has to be there before the call is there before the dry run too.
      await edge.prepare(id);
      const known = edge.known();
      const dry = await edge.try(dryRunOf(id), body);
      expect([dry.stored, edge.known() === known], `${id} ${number}`).toEqual([[], true]);
      const call = await edge.send(id, body);
      const answer = JSON.parse(dry.text) as {
        readonly stored?: boolean; readonly call_status?: number;
      };
      if (call.status < 300) {
        expect([dry.status, answer.stored, answer.call_status], `${id} ${number}`)
          .toEqual([200, false, call.status]);
        counts.taken += 1;
      } else {
        expect([dry.status, withoutIds(dry.text)], `${id} ${number}`)
          .toEqual([call.status, withoutIds(call.text)]);
        counts.refused += 1;
      }
    }
    expect(counts.taken).toBeGreaterThan(50);
    expect(counts.refused).toBeGreaterThan(50);
  }, 600_000);
});
