import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetterRepair } from '../../../schemas/generated/types.ts';
import type { Clock } from '../../kernel/clock.ts';
import { formatRecordId, REPLAYED_FROM } from '../../kernel/record-id.ts';
import type { RecordLog } from '../../kernel/record-log.ts';
import { isUnavailable, type Unavailable } from '../../kernel/unavailable.ts';
import { newestReason, unframed, type DeadLetterSummary } from './dead-letter.ts';
import type { OpenDeadLetterLog } from './open-log.ts';
import type { ReplayPlan } from './plan-replay.ts';

/** What a replay works with. */
export interface PutBackPorts {
  readonly log: RecordLog;
  readonly open: Pick<OpenDeadLetterLog, 'values'>;
  readonly clock: Clock;
  /** Version of this code, which every repair carries. */
  readonly codeVersion: string;
}

/** How long a replay may work, and what it may hold. */
export interface ReplayLimits {
  /** No record is begun after this `Clock` time. */
  readonly untilMs: number;
  /** No append waits longer than until this `Clock` time. */
  readonly deadlineMs: number;
  /** Bytes of values that are held at a time. */
  readonly heldBytesMax: number;
}

/** How a replay ended. */
export interface ReplayEnd {
  readonly replayed: readonly DeadLetterSummary[];
  /** Why it stopped early, unless its time was over; what is left is still open. */
  readonly fault: Unavailable | undefined;
}

const APPEND_MS_MAX = 15_000;
/** The limits of who waits until everything is done. */
const TO_THE_END: ReplayLimits = {
  untilMs: Infinity, deadlineMs: Infinity, heldBytesMax: 67_108_864,
};

/**
 * Puts records back into their topics, each partition in its order, with their keys, headers, first
 * record ids and the schemas that wrote them. One that does not follow its schema is put back under
 * ours, since our release must read it. The log says after each record that it was replayed: a
 * crash in between replays one record twice, which readers take for one by its first record id.
 */
export async function replay(
  ports: PutBackPorts, plan: ReplayPlan, limits: ReplayLimits = TO_THE_END,
): Promise<ReplayEnd> {
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
    }, appendUntilMs(ports, limits.deadlineMs));
    const same = repeats.get(`${deadLetter.topic} ${formatRecordId(deadLetter.first)}`) ?? [];
    for (const each of [deadLetter, ...same]) {
      await appendRepair(ports, each, 'DeadLetterReplayed', limits.deadlineMs);
    }
    replayed.push(deadLetter);
  }

  for (const slice of slicesOf(plan.go, limits.heldBytesMax)) {
    if (ports.clock.nowMs() > limits.untilMs) break;
    const values = await ports.open.values(new Set(slice.map(({ id }) => id)));
    const partitions = Map.groupBy(slice, ({ topic, first }) => `${topic}:${first.partition}`);
    const ends = await Promise.allSettled([...partitions.values()].map(async (inOnePartition) => {
      for (const deadLetter of inOnePartition) {
        if (ports.clock.nowMs() > limits.untilMs) return;
        const value = values.get(deadLetter.id);
        if (value !== undefined) await putBack(deadLetter, value);
      }
    }));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed === undefined) continue;
    if (!isUnavailable(failed.reason)) throw failed.reason;
    return { replayed, fault: failed.reason };
  }
  return { replayed, fault: undefined };
}

/**
 * Records in the log how a dead letter was closed: never at an older time than that of the dead
 * letter, or a clock that is behind that of the worker would leave it open.
 */
export async function appendRepair(
  ports: Omit<PutBackPorts, 'open'>, deadLetter: DeadLetterSummary,
  type: 'DeadLetterReplayed' | 'DeadLetterDiscarded', deadlineMs = Infinity,
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
    at_ms: Math.max(ports.clock.nowMs(), newestReason(deadLetter).at_ms),
  };
  await ports.log.append({
    topic: TOPICS.deadLetterRepairs.name, key: deadLetter.key ?? '', headers: {},
    value: Buffer.from(JSON.stringify(repair)),
  }, appendUntilMs(ports, deadlineMs));
}

function appendUntilMs({ clock }: Pick<PutBackPorts, 'clock'>, deadlineMs: number): number {
  return Math.min(clock.nowMs() + APPEND_MS_MAX, deadlineMs);
}

function* slicesOf(
  deadLetters: readonly DeadLetterSummary[], heldBytesMax: number,
): Generator<readonly DeadLetterSummary[]> {
  let slice: DeadLetterSummary[] = [];
  let bytes = 0;
  for (const deadLetter of deadLetters) {
    if (slice.length > 0 && bytes + deadLetter.valueBytes > heldBytesMax) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(deadLetter);
    bytes += deadLetter.valueBytes;
  }
  if (slice.length > 0) yield slice;
}
