import type { QuarantineRecorded } from '../../schemas/generated/types.ts';
import { eachFact } from './each-fact.ts';
import type { LogReader } from './record-log.ts';

/** A decision about a device that swamps its partition: `rtt.quarantine.v1`. */
export type { QuarantineRecorded };

/** The newest decision about each device; see {@link readQuarantine}. */
export type Quarantine = ReadonlyMap<string, QuarantineRecorded>;

/** Reads which devices have a lane of their own, as the log has decided it so far. */
export async function readQuarantine(reader: LogReader, topic: string): Promise<Quarantine> {
  const decided = new Map<string, QuarantineRecorded>();
  await eachFact<QuarantineRecorded>(reader, [topic], (fact) => {
    if (fact.version > (decided.get(fact.device_id)?.version ?? 0)) {
      decided.set(fact.device_id, fact);
    }
  });
  return decided;
}
