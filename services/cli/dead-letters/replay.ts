import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetterRepair } from '../../../schemas/generated/types.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import { formatRecordId, REPLAYED_FROM } from '../../kernel/record-id.ts';
import { newestReason, unframed, type DeadLetterSummary } from './dead-letter.ts';
import type { ReplayPlan } from './plan-replay.ts';
import type { DeadLetterPorts } from './ports.ts';

/** How a replay ended. */
export interface ReplayEnd {
  readonly replayed: readonly DeadLetterSummary[];
  /** Why it stopped early; what is left is still open. */
  readonly fault: string | undefined;
}

const APPEND_MS_MAX = 15_000;
/** Values that are held at a time. */
const HELD_BYTES_MAX = 67_108_864;

/**
 * Puts records back into their topics, each partition in its order, with their keys, headers, first
 * record ids and the schemas that wrote them. One that does not follow its schema is put back under
 * ours, since our release must read it. The log says after each record that it was replayed: a
 * crash in between replays one record twice, which readers take for one by its first record id.
 */
export async function replay(ports: DeadLetterPorts, plan: ReplayPlan): Promise<ReplayEnd> {
  const replayed: DeadLetterSummary[] = [];
  const repeats = Map.groupBy(plan.repeats, ({ topic, first }) => `${topic} ${formatRecordId(first)}`);

  async function putBack(deadLetter: DeadLetterSummary, value: Buffer): Promise<void> {
    const { schemaId, value: json } = unframed(value);
    const isInvalid = newestReason(deadLetter).code === 'record_invalid';
    await ports.log.append({
      topic: deadLetter.topic,
      key: deadLetter.key ?? '',
      value: json,
      ...(isInvalid ? {} : { schemaId }),
      headers: { ...deadLetter.headers, [REPLAYED_FROM]: formatRecordId(deadLetter.first) },
    }, ports.clock.nowMs() + APPEND_MS_MAX);
    const same = repeats.get(`${deadLetter.topic} ${formatRecordId(deadLetter.first)}`) ?? [];
    for (const each of [deadLetter, ...same]) await appendRepair(ports, each, 'DeadLetterReplayed');
    replayed.push(deadLetter);
  }

  for (const slice of slicesOf(plan.go)) {
    const values = await ports.open.values(new Set(slice.map(({ id }) => id)));
    const partitions = Map.groupBy(slice, ({ topic, first }) => `${topic}:${first.partition}`);
    const ends = await Promise.allSettled([...partitions.values()].map(async (inOnePartition) => {
      for (const deadLetter of inOnePartition) {
        const value = values.get(deadLetter.id);
        if (value !== undefined) await putBack(deadLetter, value);
      }
    }));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed === undefined) continue;
    if (!isUnavailable(failed.reason)) throw failed.reason;
    return { replayed, fault: failed.reason.message };
  }
  return { replayed, fault: undefined };
}

/** Records in the log how a dead letter was closed. */
export async function appendRepair(
  ports: DeadLetterPorts, deadLetter: DeadLetterSummary, type: 'DeadLetterReplayed' | 'DeadLetterDiscarded',
): Promise<void> {
  const { topicId: topic_id, partition, offset } = deadLetter.recordId;
  const repair: DeadLetterRepair = {
    type,
    origin: {
      topic: deadLetter.topic,
      ...(topic_id === deadLetter.topic ? {} : { topic_id }),
      partition,
      offset: Number(offset),
      key: deadLetter.key === undefined ? null : Buffer.from(deadLetter.key).toString('base64'),
    },
    code_version: ports.codeVersion,
    at_ms: ports.clock.nowMs(),
  };
  await ports.log.append({
    topic: TOPICS.deadLetterRepairs.name, key: deadLetter.key ?? '', headers: {},
    value: Buffer.from(JSON.stringify(repair)),
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}

function* slicesOf(
  deadLetters: readonly DeadLetterSummary[],
): Generator<readonly DeadLetterSummary[]> {
  let slice: DeadLetterSummary[] = [];
  let bytes = 0;
  for (const deadLetter of deadLetters) {
    if (slice.length > 0 && bytes + deadLetter.valueBytes > HELD_BYTES_MAX) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(deadLetter);
    bytes += deadLetter.valueBytes;
  }
  if (slice.length > 0) yield slice;
}
