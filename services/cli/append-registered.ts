import type { Clock } from '../kernel/clock.ts';
import type { RecordLog } from '../kernel/record-log.ts';

/**
 * A log that registers the schema of a topic before the first record goes there, so that a command
 * that only reads asks the registry nothing. The time that takes is not taken from the append.
 * Rejects as the registration does, and tries it again with the next record.
 */
export function appendRegistered(
  log: RecordLog, register: (topic: string) => Promise<void>, clock: Clock,
): RecordLog {
  const registered = new Map<string, Promise<void>>();

  function whenRegistered(topic: string): Promise<void> {
    const known = registered.get(topic);
    if (known !== undefined) return known;
    const begun = register(topic).catch((error: unknown) => {
      registered.delete(topic);
      throw error;
    });
    registered.set(topic, begun);
    return begun;
  }

  return {
    async append(record, deadlineMs) {
      const askedMs = clock.nowMs();
      await whenRegistered(record.topic);
      await log.append(record, deadlineMs + clock.nowMs() - askedMs);
    },
  };
}
