import type { QuarantineRecorded } from '../../schemas/generated/types.ts';
import { isDecoded, type LogReader } from './record-log.ts';

/** A decision about a device that swamps its partition: `rtt.quarantine.v1`. */
export type { QuarantineRecorded };

/** The newest decision about each device; see {@link readQuarantine}. */
export type Quarantine = ReadonlyMap<string, QuarantineRecorded>;

/** Reads which devices have a lane of their own, as the log has decided it so far. */
export async function readQuarantine(reader: LogReader, topic: string): Promise<Quarantine> {
  const decided = new Map<string, QuarantineRecorded>();
  await reader.readToEnd([topic], async (records) => {
    for (const record of records) {
      if (!isDecoded(record)) continue;
      const fact = JSON.parse(record.value.toString('utf8')) as QuarantineRecorded;
      if (fact.version > (decided.get(fact.device_id)?.version ?? 0)) {
        decided.set(fact.device_id, fact);
      }
    }
    await Promise.resolve();
  });
  return decided;
}
