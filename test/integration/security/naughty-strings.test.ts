import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleCall } from '../../support/documented-answers.ts';
import { BODY_OPERATIONS, openBodyEdge, type BodyEdge } from '../../support/every-body/edge.ts';
import { problemOf } from '../../support/every-body/check-body.ts';
import { bodyWith, stringPlaces } from '../../support/every-body/places.ts';
import { naughtyTexts } from '../../support/naughty-strings/read-strings.ts';

const TEXTS_PER_PLACE = 3;
const REFUSED_EVERYWHERE = [
  String.raw`"a\u0000b"`, String.raw`"a\ud800b"`, String.raw`"a\udc00b"`,
];

describe('strings that break others', () => {
  let edge: BodyEdge;
  beforeAll(async () => { edge = await openBodyEdge(); });
  afterAll(() => edge.close());

  it('are the whole list, and ours', () => {
    expect(naughtyTexts()).toHaveLength(485 + 4);
  });

  it.each(BODY_OPERATIONS)('the example of %s is taken and kept whole', async (id) => {
    const body = Buffer.from(JSON.stringify(exampleCall(id).body));
    const outcome = await edge.send(id, body);
    expect(outcome.status).toBeLessThan(300);
    expect(problemOf(id, body, outcome)).toBeUndefined();
  });

  it.each(BODY_OPERATIONS)(
    'in every field of %s are refused or kept as they are, and never a 5xx', async (id) => {
      const places = stringPlaces(id);
      expect(places.length).toBeGreaterThan(0);
      const texts = naughtyTexts();
      const faults: string[] = [];
      for (const [index, place] of places.entries()) {
        for (let round = 0; round < TEXTS_PER_PLACE; round += 1) {
          const text = texts[(index * TEXTS_PER_PLACE + round) % texts.length] ?? '';
          const body = Buffer.from(bodyWith(id, place, text));
          const fault = problemOf(id, body, await edge.send(id, body));
          if (fault !== undefined) faults.push(`${place.join('/')} ${text}: ${fault}`);
        }
      }
      expect(faults).toEqual([]);
    }, 60_000,
  );

  it.each(BODY_OPERATIONS)(
    'NUL and lone surrogates are refused in every field of %s', async (id) => {
      for (const place of stringPlaces(id)) {
        for (const text of REFUSED_EVERYWHERE) {
          const { status } = await edge.send(id, Buffer.from(bodyWith(id, place, text)));
          expect([place.join('/'), text, status]).toEqual([place.join('/'), text, 400]);
        }
      }
    },
  );

  it('never break a line of the log: each is one JSON object', () => {
    expect(edge.lines.length).toBeGreaterThan(100);
    for (const line of edge.lines) {
      expect(line.trimEnd()).not.toContain('\n');
      expect(JSON.parse(line)).toBeTypeOf('object');
    }
  });
});
