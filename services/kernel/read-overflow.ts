import { eachFact } from './each-fact.ts';
import {
  withDecision, type Overflow, type OverflowRecorded, type ProviderDecisions,
} from './overflow.ts';
import type { LogReader } from './record-log.ts';

/** Reads which devices and providers overflow, as decided in the log so far. */
export async function readOverflow(reader: LogReader, topic: string): Promise<Overflow> {
  const devices = new Map<string, OverflowRecorded>();
  const providers = new Map<string, ProviderDecisions>();
  await eachFact<OverflowRecorded>(reader, [topic], (fact) => {
    const { device_id, provider } = fact;
    if (device_id !== undefined) {
      if (fact.version > (devices.get(device_id)?.version ?? 0)) devices.set(device_id, fact);
    } else if (provider !== undefined) {
      providers.set(provider, withDecision(providers.get(provider) ?? {}, fact));
    }
  });
  return { devices, providers };
}
