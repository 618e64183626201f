import type { Signals } from '../../../kernel/signals.ts';
import type { LogAdmin } from '../admin.ts';
import { backoffMs, pause } from '../backoff.ts';
import { reasonOf, reasonsOf } from '../errors.ts';
import {
  OffsetOutOfRange, startOffsets, TopicRecreated, type StartOffsets,
} from './start-offsets.ts';

/** How long a member waits between its questions, and who hears of them. */
export interface WaitOutPorts {
  readonly group: string;
  readonly backoffMsMin: number;
  readonly backoffMsMax: number;
  readonly signals: Signals;
  readonly random: () => number;
}

/**
 * Where a member goes on, and the id of each topic; nothing of either once it has left. `known` are
 * the ids of its assignment before: `signals` hears of each topic that was made again since. Kafka
 * forgets the commits of a topic that is deleted, so that the group often knows of none.
 */
export async function waitForOffsets(
  topics: readonly string[], known: ReadonlyMap<string, string>, here: AbortController,
  ports: WaitOutPorts & { readonly admin: LogAdmin },
): Promise<StartOffsets & { readonly ids: ReadonlyMap<string, string> }> {
  const { admin, group, signals } = ports;
  const found = await waitOut(() => Promise.all([
    startOffsets(admin, group, topics), admin.topicIds(topics),
  ]), here.signal, ports);
  if (found === undefined) return { next: new Map(), unset: [], former: [], ids: known };
  const [offsets, ids] = found;
  const isRemade = (topic: string): boolean => (
    offsets.former.includes(topic) || (known.get(topic) ?? ids.get(topic)) !== ids.get(topic)
  );
  for (const topic of topics.filter(isRemade)) signals.topicRemade({ group, topic });
  return { ...offsets, ids };
}

/**
 * Asks the log about an assignment until it answers; undefined when the assignment is taken away
 * before. An outage is waited for, however long it is: only what the log says of lost records, and
 * a defect of ours, ends the consumer.
 */
export async function waitOut<Answer>(
  ask: () => Promise<Answer>, left: AbortSignal,
  { group, backoffMsMin, backoffMsMax, signals, random }: WaitOutPorts,
): Promise<Answer | undefined> {
  for (let attempt = 0; !left.aborted; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isOutage(error)) throw error;
      signals.consumerJoinFailed({ group, attempt, reason: reasonOf(error) });
    }
    await pause(backoffMs(attempt, backoffMsMin, backoffMsMax, random()), left);
  }
  return undefined;
}

/** Brokers and connections name their reasons; a defect has none. */
function isOutage(error: unknown): boolean {
  const isLoss = error instanceof OffsetOutOfRange || error instanceof TopicRecreated;
  return !isLoss && reasonsOf(error).length > 0;
}
