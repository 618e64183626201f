import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetterRepair } from '../../../schemas/generated/types.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import { formatRecordId, REPLAYED_FROM } from '../../kernel/record-id.ts';
import { unframed, type Letter } from './dead-letter.ts';
import type { RedrivePlan } from './plan-replay.ts';
import type { LetterPorts } from './ports.ts';
import { readValues } from './read-dead-letters.ts';

/** How a redrive ended. */
export interface RedriveEnd {
  readonly redriven: readonly Letter[];
  /** Why it stopped before its end; what is left is still open. */
  readonly fault: string | undefined;
}

const APPEND_MS_MAX = 15_000;
/** Values that are held at a time. */
const HELD_BYTES_MAX = 67_108_864;

/**
 * Puts records back into their topics, each partition in its order, with their keys and headers and
 * the place that they had first. What was put back is noted in the log after each record: a crash
 * in between puts one record there twice, which is still one record to everybody who reads it.
 */
export async function redrive(ports: LetterPorts, plan: RedrivePlan): Promise<RedriveEnd> {
  const redriven: Letter[] = [];
  const repeats = Map.groupBy(plan.repeats, ({ topic, first }) => `${topic} ${formatRecordId(first)}`);

  async function putBack(letter: Letter, value: Buffer): Promise<void> {
    await ports.log.append({
      topic: letter.topic,
      key: letter.key ?? '',
      value: unframed(value),
      headers: { ...letter.headers, [REPLAYED_FROM]: formatRecordId(letter.first) },
    }, ports.clock.nowMs() + APPEND_MS_MAX);
    const same = repeats.get(`${letter.topic} ${formatRecordId(letter.first)}`) ?? [];
    for (const each of [letter, ...same]) await settle(ports, each, 'DeadLetterReplayed');
    redriven.push(letter);
  }

  for (const slice of slicesOf(plan.go)) {
    const values = await readValues(ports.reader, new Set(slice.map(({ id }) => id)));
    const lanes = Map.groupBy(slice, ({ topic, first }) => `${topic}:${first.partition}`);
    const ends = await Promise.allSettled([...lanes.values()].map(async (lane) => {
      for (const letter of lane) {
        const value = values.get(letter.id);
        if (value !== undefined) await putBack(letter, value);
      }
    }));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed === undefined) continue;
    if (!isUnavailable(failed.reason)) throw failed.reason;
    return { redriven, fault: failed.reason.message };
  }
  return { redriven, fault: undefined };
}

/** Says in the log what was done about a letter. */
export async function settle(
  ports: LetterPorts, letter: Letter, type: 'DeadLetterReplayed' | 'DeadLetterDiscarded',
): Promise<void> {
  const { topicId: topic_id, partition, offset } = letter.place;
  const repair: DeadLetterRepair = {
    type,
    origin: {
      topic: letter.topic,
      ...(topic_id === letter.topic ? {} : { topic_id }),
      partition,
      offset: Number(offset),
      key: letter.key === undefined ? null : Buffer.from(letter.key).toString('base64'),
    },
    code_version: ports.codeVersion,
    at_ms: ports.clock.nowMs(),
  };
  await ports.log.append({
    topic: TOPICS.deadLetterRepairs.name, key: letter.key ?? '', headers: {},
    value: Buffer.from(JSON.stringify(repair)),
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}

function* slicesOf(letters: readonly Letter[]): Generator<readonly Letter[]> {
  let slice: Letter[] = [];
  let bytes = 0;
  for (const letter of letters) {
    if (slice.length > 0 && bytes + letter.valueBytes > HELD_BYTES_MAX) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(letter);
    bytes += letter.valueBytes;
  }
  if (slice.length > 0) yield slice;
}
