import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import openapi from '../../../schemas/generated/openapi.json' with { type: 'json' };
import { FIX_TOPICS } from '../../../services/gateways/live/fixes/apply-records.ts';
import { createFixFeed } from '../../../services/gateways/live/fixes/fix-feed.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { readBinaryUpdates } from '../../support/binary-updates.ts';
import { fakeLive } from '../../support/fake-live.ts';
import { cursorAt, lastFix, limitsWith, OPEN_SEALS, seedOf } from '../../support/live-feeds.ts';
import { readEvents } from '../../support/live-lines.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

const NOW_MS = 1_764_000_005_123;
const DEVICE = '6f1c2d3e-4b5a-5c6d-8e7f-9a0b1c2d3e4f';
const STREAM = 'text/event-stream';
const BYTES = 'application/vnd.rastro.positions';
const FEEDS = [
  ['follow-fixes', '/shipping/rtt/live/positions'],
  ['follow-platform-fixes', '/platform/live/positions'],
] as const;

/** The feed of positions as it runs, with the device of the examples; each line ends at once. */
function liveWithOneDevice() {
  const feed = createFixFeed(limitsWith(), {
    clock: { nowMs: () => NOW_MS }, seals: OPEN_SEALS, signals: silentSignals,
  });
  const fix = { ...lastFix(DEVICE, 0, 48.1), client_id: '100000000000042', speed: 13.9 };
  feed.begin(cursorAt(FIX_TOPICS), seedOf([fix]));
  return {
    ...fakeLive(),
    fixes: {
      join: (...[question, line]: Parameters<typeof feed.join>) => {
        const leave = feed.join(question, line);
        line.end();
        return leave;
      },
    },
  };
}

let at: WholeEdge;
beforeAll(async () => {
  at = await openWholeEdge({}, (parts) => ({ ...parts, live: liveWithOneDevice() }));
});
afterAll(() => at.close());

/** What an operation answers to a form and an `Accept`. */
async function follow(id: string, format: string | null, accept?: string, states = 'false') {
  at.admit(id);
  const response = await at.call(id, {
    params: { format, states, 'live_provider': null, 'provider': null },
    headers: { accept: accept ?? null },
  });
  expect(response.status).toBe(200);
  return {
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

describe.each(FEEDS)('the answers of %s', (id, path) => {
  const { content } = openapi.paths[path].get.responses['200'];

  it('have just the content types of the document, the events first', async () => {
    expect(Object.keys(content)).toEqual([STREAM, BYTES]);
    expect((await follow(id, 'json')).type).toBe(STREAM);
    expect((await follow(id, 'binary')).type).toBe(BYTES);
  });

  it('are in bytes what the example of the document is', async () => {
    const { schema, example } = content[BYTES];
    expect(schema).toMatchObject({ type: 'string', format: 'binary' });
    const shown = readBinaryUpdates(Buffer.from(example, 'base64'), false);
    const [update, ...more] = readBinaryUpdates((await follow(id, 'binary')).bytes, false);
    expect(more).toEqual([]);
    expect(shown).toEqual([{ ...update, id: shown[0]?.id }]);
    expect(shown[0]?.id).not.toBe('');
  });

  it('say the same in bytes, in bytes with states, and as events', async () => {
    const [event] = readEvents((await follow(id, 'json')).bytes.toString());
    const [update] = readBinaryUpdates((await follow(id, 'binary')).bytes, false);
    const [withState] = readBinaryUpdates((await follow(id, 'binary', undefined, 'true')).bytes, true);
    expect(update?.rows).toEqual([{
      deviceId: DEVICE, latitude: 48.1, longitude: 11.5, timestamp: 1_764_000_000, speed: 13.9,
      bearing: undefined, state: undefined,
    }]);
    const [row] = event?.data['positions'] as readonly (readonly unknown[])[];
    expect(row?.slice(0, 6)).toEqual([DEVICE, 1_764_000_000, 48.1, 11.5, 13.9, null]);
    expect(withState).toEqual({ ...update, rows: [{ ...update?.rows[0], state: 0 }] });
    expect(event).toMatchObject({ id: update?.id, data: { at_ms: update?.atMs } });
  });

  it.each([
    [BYTES, BYTES], [`${BYTES}, */*`, BYTES], [`${STREAM};q=0.5, ${BYTES}`, BYTES],
    [`${STREAM}, ${BYTES}, application/problem+json`, STREAM], [`${BYTES};q=0`, STREAM],
    [`${BYTES};q=0.5, ${STREAM}`, STREAM], ['*/*', STREAM], ['application/json', STREAM],
    ['application/*', STREAM], [STREAM, STREAM],
  ])('come for `Accept: %s` as %s', async (accept, type) => {
    expect((await follow(id, null, accept)).type).toBe(type);
  });

  it('follow `format` where `Accept` says something else', async () => {
    expect((await follow(id, 'json', BYTES)).type).toBe(STREAM);
    expect((await follow(id, 'binary', STREAM)).type).toBe(BYTES);
  });
});
