import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OPERATIONS, TOPICS } from '../../../schemas/generated/catalog.ts';
import { BODY_VALUES_MAX, NOTIFICATIONS_BYTES_MAX } from '../../../services/kernel/limits.ts';
import { formatRecordId, REPLAYED_FROM } from '../../../services/kernel/record-id.ts';
import { recordBytes } from '../../../services/kernel/record-size.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { createDeadLetters } from '../../../services/workers/common/dead-letters.ts';
import { problemOf } from '../../support/edge.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { aNotification } from '../../support/notifications.ts';
import { openPushEdge, type PushEdge } from '../../support/push-edge.ts';

const SEALED_RATIO = 4 / 3;
/** `1e20,` has five bytes, and 22 when JavaScript writes it again. */
const NUMBER_BYTES_MAX = 22;
const WRITTEN_RATIO = NUMBER_BYTES_MAX / 5;
const HEADERS_BYTES_MAX = 4_096;
const { notifications: TOPIC, deadLetters: DEAD_LETTERS } = TOPICS;

let push: PushEdge;
beforeAll(async () => { push = await openPushEdge(); });
beforeEach(() => push.reset());
afterAll(() => push.edge.close());

/** What a text is filled with: one byte, two bytes, four, and what JSON writes longer. */
const FILLERS = ['x', 'é', '😀', '"', '\\', '\n', '\u0001'];
const sizes = fc.record({
  /** Bytes that the body is below its limit. */
  below: fc.oneof(fc.nat(1_200), fc.integer({ min: 0, max: 200_000 })),
  filler: fc.constantFrom(...FILLERS),
  isPersonal: fc.boolean(),
  others: fc.nat(3),
});

/** A body of one or more notifications, the last of which fills it up. */
function bodyOf({ below, filler, isPersonal, others }: {
  below: number; filler: string; isPersonal: boolean; others: number;
}): string {
  const of = (fill: string): string => {
    const large = aNotification('0133', isPersonal ? { driver: { id: 'D', name: 'N', more: fill } }
      : { more: fill });
    return JSON.stringify([...Array.from({ length: others }, () => aNotification()), large]);
  };
  const cost = Buffer.byteLength(JSON.stringify(filler)) - 2;
  const room = NOTIFICATIONS_BYTES_MAX - below - Buffer.byteLength(of(''));
  return of(filler.repeat(Math.floor(room / cost)));
}

describe('[GEN-48] a body that is accepted', () => {
  it('fits the log, the dead letters, and the log once more; else it is 400 and nothing of it there',
    async () => {
      await fc.assert(fc.asyncProperty(sizes, async (size) => {
        push.reset();
        const response = await push.push(bodyOf(size));
        if (response.status !== 202) {
          expect(response.status).toBe(400);
          expect(await problemOf(response)).toMatchObject({
            code: 'payload_too_large', errors: [{ pointer: `/${size.others}` }],
          });
          expect(push.log.of(TOPIC.name)).toEqual([]);
          return;
        }
        expect(push.log.of(TOPIC.name)).toHaveLength(size.others + 1);
        for (const { key, bytes: value, headers } of push.log.of(TOPIC.name)) {
          const recordId = { topicId: 't'.repeat(36), partition: 999, offset: 2n ** 63n - 1n };
          const again = {
            ...headers, traceparent: '0'.repeat(55), [REPLAYED_FROM]: formatRecordId(recordId),
          };
          expect(recordBytes({ topic: TOPIC.name, key, value, headers: again }))
            .toBeLessThanOrEqual(TOPIC.message_bytes_max);
          const log = fakeRecordLog();
          const deadLetters = createDeadLetters(
            { worker: 'w', codeVersion: '1', appendMsMax: 1 },
            { log, clock: { nowMs: () => 0 }, signals: silentSignals },
          );
          const record = aLogRecord(TOPIC.name, 1, '', {
            key, value: Buffer.from(value), headers: again,
          });
          await deadLetters.write(record, 'apply', 'record_invalid', '\u0001'.repeat(9_000));
          expect(log.of(DEAD_LETTERS.name)).toHaveLength(1);
        }
      }), { numRuns: 12 });
    }, 120_000);

  it('of every other operation fits its topic with all of it sealed', () => {
    const topics = new Map(Object.values(TOPICS).map((topic) => [topic.name as string, topic]));
    const ids: string[] = [];
    for (const { id, request, appends } of Object.values(OPERATIONS)) {
      if (request === null || appends === null || id === 'push-notifications') continue;
      ids.push(id);
      const { bytes_max } = request;
      const written = Math.min(
        bytes_max * WRITTEN_RATIO, bytes_max + BODY_VALUES_MAX * NUMBER_BYTES_MAX,
      );
      expect(written * SEALED_RATIO + HEADERS_BYTES_MAX, id)
        .toBeLessThanOrEqual(topics.get(appends.topic)?.message_bytes_max ?? 0);
    }
    expect(ids.length).toBeGreaterThan(5);
  });
});
