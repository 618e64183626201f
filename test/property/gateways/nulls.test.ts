import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleCall } from '../../support/documented-answers.ts';
import {
  BODY_OPERATIONS, openBodyEdge, type BodyEdge, type BodyOutcome,
} from '../../support/every-body/edge.ts';
import { membersOf, withMember } from '../../support/every-body/members.ts';
import type { JsonPath } from '../../support/every-body/places.ts';

let edge: BodyEdge;
beforeAll(async () => { edge = await openBodyEdge(); });
afterAll(() => edge.close());

const PLACES = BODY_OPERATIONS.flatMap((id) => (
  membersOf(exampleCall(id).body).map((place) => ({ id, place }))
));
/** What differs from call to call whatever was sent: times, ids, and what is sealed or hashed. */
const OWN = /"(?:at_ms|ends_at_ms|event_id|audit_id|command_id|call_id|token_hash|expires_at_ms|issued_at_ms|received_at_ms|date)":"?[^,}]+/g;

async function send(id: string, place: JsonPath, value: unknown): Promise<BodyOutcome> {
  const body = withMember(exampleCall(id).body, place, value);
  return edge.send(id, Buffer.from(JSON.stringify(body)));
}

/** The facts that a call left, and how it was answered. */
function factsOf({ status, text, stored }: BodyOutcome): unknown {
  const facts = stored.map(({ topic, json, opened }) => {
    const { personal: _, ...clear } = JSON.parse(json.replaceAll(OWN, '"own":0')) as {
      readonly personal?: unknown;
    };
    return { topic, clear, opened };
  });
  const faults = (JSON.parse(text) as { readonly errors?: unknown }).errors;
  return { status, faults, facts: status < 300 ? facts : [] };
}

describe('[GEN-33] a member that is null', () => {
  it('is tried at every member of every body', () => {
    expect(PLACES.length).toBeGreaterThan(200);
  });

  it.each(PLACES.map(({ id, place }) => ({ id, place, at: place.join('/') })))(
    'is as good as one that is not there: $id /$at', async ({ id, place }) => {
      const [absent, isNull] = [await send(id, place, undefined), await send(id, place, null)];
      expect(factsOf(isNull)).toEqual(factsOf(absent));
    },
  );
});
