import type { OverflowRecorded } from '../../schemas/generated/types.ts';
import { eachFact } from './each-fact.ts';
import type { LogReader } from './record-log.ts';

/** A decision about a device or a provider that delays others: `rtt.overflow.v1`. */
export type { OverflowRecorded };

/** Who decides about providers: an operator, or the table writers. */
export type OverflowDecider = NonNullable<OverflowRecorded['by']>;

/** The newest decision of each kind about one provider. */
export type ProviderDecisions = Readonly<Partial<Record<OverflowDecider, OverflowRecorded>>>;

/** The newest decisions about each device and each provider; see {@link readOverflow}. */
export interface Overflow {
  readonly devices: ReadonlyMap<string, OverflowRecorded>;
  readonly providers: ReadonlyMap<string, ProviderDecisions>;
}

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

/**
 * The key of a decision in the log. Those of operators and of writers about one provider have
 * different ones, so that compaction never drops the one for the other.
 */
export function overflowKeyOf({ device_id, provider, by }: OverflowRecorded): string {
  if (provider === undefined) return device_id ?? '';
  return by === 'writer' ? `flood:${provider}` : `provider:${provider}`;
}
