import { describe, expect, it } from 'vitest';
import { takeViewer } from '../../../services/gateways/live/operations/take-viewer.ts';
import type { StreamLine } from '../../../services/kernel/stream-line.ts';
import { callOf } from '../../support/calls.ts';
import { fakeLive } from '../../support/fake-live.ts';

const VIEWERS_MAX = 2;
const LINE: StreamLine = {
  write: () => undefined, waitingBytes: () => 0, onDrained: () => undefined,
  end: () => undefined, cut: () => undefined,
};

/** Feeds that take two viewers, and the end of each line. */
function openFeeds() {
  const seen = { held: 0, joined: 0, ended: 0 };
  const live = {
    ...fakeLive(),
    refuses: () => seen.held >= VIEWERS_MAX ? 'client_full' as const : undefined,
    admit: () => {
      seen.held += 1;
      return () => { seen.held -= 1; };
    },
  };
  const { caller } = callOf();
  const take = () => takeViewer(live, caller!, 'text/event-stream', () => {
    seen.joined += 1;
    return () => { seen.joined -= 1; };
  });
  return { seen, take, line: { ...LINE, end: () => { seen.ended += 1; } } };
}

describe('a viewer', () => {
  it('is refused with the time to wait while the feeds are full', async () => {
    const { seen, take } = openFeeds();
    seen.held = VIEWERS_MAX;
    expect(await take()).toMatchObject({ kind: 'refusal', code: 'rate_limited', retryAfterSeconds: 10 });
  });

  it('is one of so many also when all of them call at the same moment', async () => {
    const { seen, take, line } = openFeeds();
    const answers = await Promise.all(Array.from({ length: 5 }, take));
    const over = answers.map((answer) => answer.kind === 'stream' ? answer.begin(line) : undefined);
    expect(seen).toEqual({ held: VIEWERS_MAX, joined: VIEWERS_MAX, ended: 3 });
    for (const end of over) end?.();
    expect(seen).toEqual({ held: 0, joined: 0, ended: 3 });
  });
});
