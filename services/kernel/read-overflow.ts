import { eachFact } from './each-fact.ts';
import type { Fold } from './fold.ts';
import { parseFields } from './json-fields.ts';
import { withDecision, type OverflowRecorded, type ProviderDecisions } from './overflow.ts';
import type { LogReader } from './record-log.ts';

/** The decisions as they are read: {@link Overflow} that grows. */
export interface GrowingOverflow {
  readonly devices: Map<string, OverflowRecorded>;
  readonly providers: Map<string, ProviderDecisions>;
}

/** Reads which devices and providers overflow, as decided in the log so far. */
export async function readOverflow(reader: LogReader, topic: string): Promise<GrowingOverflow> {
  const decided = overflowFold.empty();
  await eachFact<OverflowRecorded>(reader, [topic], (fact) => { addDecision(decided, fact); });
  return decided;
}

/** Folds decisions, for who asks again and again: it reads those that are new. */
export const overflowFold: Fold<GrowingOverflow> = {
  empty: () => ({ devices: new Map(), providers: new Map() }),
  add(decided, { value }) {
    const fact = parseFields(value);
    if (fact !== undefined) addDecision(decided, fact as unknown as OverflowRecorded);
  },
  write: ({ devices, providers }) => [[...devices], [...providers]],
  read(json) {
    const [devices, providers] = json as [
      [string, OverflowRecorded][], [string, ProviderDecisions][],
    ];
    return { devices: new Map(devices), providers: new Map(providers) };
  },
};

function addDecision({ devices, providers }: GrowingOverflow, fact: OverflowRecorded): void {
  const { device_id, provider } = fact;
  if (device_id !== undefined) {
    if (fact.version > (devices.get(device_id)?.version ?? 0)) devices.set(device_id, fact);
  } else if (provider !== undefined) {
    providers.set(provider, withDecision(providers.get(provider) ?? {}, fact));
  }
}
