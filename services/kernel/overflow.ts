import type { OverflowRecorded } from '../../schemas/generated/types.ts';
import { eachFact } from './each-fact.ts';
import type { LogReader } from './record-log.ts';

/** A decision about a device that swamps its partition: `rtt.overflow.v1`. */
export type { OverflowRecorded };

/** The newest decision about each device; see {@link readOverflow}. */
export type Overflow = ReadonlyMap<string, OverflowRecorded>;

/** Reads which devices overflow, as decided in the log so far. */
export async function readOverflow(reader: LogReader, topic: string): Promise<Overflow> {
  const decided = new Map<string, OverflowRecorded>();
  await eachFact<OverflowRecorded>(reader, [topic], (fact) => {
    if (fact.version > (decided.get(fact.device_id)?.version ?? 0)) {
      decided.set(fact.device_id, fact);
    }
  });
  return decided;
}
