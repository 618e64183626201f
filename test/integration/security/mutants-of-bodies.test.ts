import { describe, expect, it } from 'vitest';
import { changedBodies, changedBody, corpusBodies } from '../../support/every-body/bodies.ts';
import { BODY_OPERATIONS } from '../../support/every-body/edge.ts';
import { fuzzBodies } from '../../support/every-body/fuzz.ts';
import { SPOILERS } from '../../support/every-body/spoilers.ts';

const COUNT = 100 * BODY_OPERATIONS.length;
const SPOILED_COUNT = 300;
const SEED = 5;
const SHARE_OF_CORPUS = 5;

describe('bodies that are changed at random', () => {
  it('[GEN-01] never lead to a 5xx, and what is accepted is in the log as it was written',
    async () => {
      const { counts, findings } = await fuzzBodies(changedBodies(SEED, 0, COUNT));
      expect(findings).toEqual([]);
      expect(Object.keys(counts).sort()).toEqual([...BODY_OPERATIONS].sort());
      for (const { sent, accepted } of Object.values(counts)) {
        expect(sent).toBe(COUNT / BODY_OPERATIONS.length);
        expect(accepted).toBeGreaterThan(0);
      }
      // Else the changes are so rough that nothing is learnt about what is accepted.
      const accepted = Object.values(counts).reduce((sum, count) => sum + count.accepted, 0);
      expect(accepted).toBeGreaterThan(COUNT / 4);
      expect(accepted).toBeLessThan(COUNT * 3 / 4);
    }, 60_000);

  it('are the same for the same seed and number, and differ with either', () => {
    const all = (seed: number): string[] => (
      Array.from({ length: 200 }, (_, number) => changedBody(seed, number).body.toString('base64'))
    );
    expect(all(1)).toEqual(all(1));
    expect(new Set([...all(1), ...all(2)]).size).toBeGreaterThan(300);
  });

  it('are no text at all at times, as those of a broken client', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const broken = [...changedBodies(SEED, 0, COUNT)].filter(({ body }) => {
      try {
        decoder.decode(body);
        return false;
      } catch {
        return true;
      }
    });
    expect(broken.length).toBeGreaterThan(COUNT / 100);
  });

  it.each(Object.entries(SPOILERS))(
    'would show a gateway that %s', async (_, { spoil, finding }) => {
      const { findings } = await fuzzBodies(changedBodies(SEED, 0, SPOILED_COUNT), spoil);
      expect(findings.map(({ fault }) => fault)).toContainEqual(expect.stringMatching(finding));
    }, 60_000,
  );
});

describe('the public corpus of JSON', () => {
  it.each(BODY_OPERATIONS)(
    '[GEN-01] is answered by %s without a 5xx, and kept whole where it is accepted', async (id) => {
      // A share of the cases for each operation, another for the next; all for all: --corpus.
      const nth = BODY_OPERATIONS.indexOf(id);
      const part = [...corpusBodies(id)]
        .filter(({ number }) => (number + nth) % SHARE_OF_CORPUS === 0);
      const { counts, findings } = await fuzzBodies(part);
      expect(findings).toEqual([]);
      expect(counts[id]?.sent).toBeGreaterThan(100);
    }, 60_000,
  );
});
