import { describe, expect, it } from 'vitest';
import type { DeviceTrack, TrackPost } from '../../../schemas/generated/types.ts';
import {
  outcomeWords, postOf, worstOf,
} from '../../../services/adapters/console/browser/posts.ts';

const post = (change: Partial<TrackPost> = {}): TrackPost => ({
  ingest_id: '0198c0de-0000-7000-8000-000000000001', kind: 'locations', provider: 'acme',
  received_at: '2026-11-26T12:00:03.000Z', items: 2, stored: 0, duplicate: 0, outlier: 0,
  dead_lettered: 0, waiting: 0, ...change,
});

describe('a call on the track of a device', () => {
  it.each([
    ['stored', { stored: 2 }], ['duplicate', { stored: 1, duplicate: 1 }],
    ['outlier', { duplicate: 1, outlier: 1 }], ['waiting', { outlier: 1, waiting: 1 }],
    ['dead_lettered', { waiting: 1, dead_lettered: 1 }], ['waiting', {}],
  ])('has the tick of its worst outcome: %s of %j', (outcome, counts) => {
    expect(worstOf(post(counts))).toBe(outcome);
  });

  it('says the outcomes of its items, and why', () => {
    expect(outcomeWords(post({ stored: 1, duplicate: 1 }))).toBe('1 stored, 1 known already');
    expect(outcomeWords(post({ dead_lettered: 2, code: 'invalid_json' })))
      .toBe('2 dead letter, invalid json');
  });

  it('is found by the receipt of a fix, and is no call of events', () => {
    const receivedAt = '2026-11-26T12:00:04.000Z';
    const posts = [post(), post({ kind: 'telemetry_events', received_at: receivedAt })];
    expect(postOf({ posts } as unknown as DeviceTrack, post().received_at)).toBe(posts[0]);
    expect(postOf({ posts } as unknown as DeviceTrack, receivedAt)).toBeUndefined();
  });
});
