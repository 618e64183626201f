import { eachFact } from './each-fact.ts';
import type { Overflow, OverflowRecorded, ProviderDecisions } from './overflow.ts';
import type { LogReader } from './record-log.ts';

/** Reads which devices and providers overflow, as decided in the log so far. */
export async function readOverflow(reader: LogReader, topic: string): Promise<Overflow> {
  const devices = new Map<string, OverflowRecorded>();
  const providers = new Map<string, ProviderDecisions>();
  await eachFact<OverflowRecorded>(reader, [topic], (fact) => {
    const { device_id, provider, by = 'operator' } = fact;
    if (device_id !== undefined) {
      if (fact.version > (devices.get(device_id)?.version ?? 0)) devices.set(device_id, fact);
    } else if (provider !== undefined) {
      const known = providers.get(provider);
      // Of two with one version the later one stays in the compacted topic, so it counts here too.
      if (fact.version >= (known?.[by]?.version ?? 0)) {
        providers.set(provider, { ...known, [by]: fact });
      }
    }
  });
  return { devices, providers };
}
