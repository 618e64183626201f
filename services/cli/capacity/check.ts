import type { Costs } from './costs.ts';

/** Something that the model foretells and the same run has measured in another way. */
export interface Checked {
  readonly what: string;
  readonly unit: string;
  readonly foretold: number;
  readonly measured: number;
}

const US = 1_000_000;

/**
 * The model held to what it does not read: how many locations a second the machine of the run took
 * with all of its cores busy.
 */
export function checkModel({ figures, checks }: Costs): readonly Checked[] {
  const { gateways, tableWriters, projectors, redis, clickhouse, brokers } = figures;
  const ours = gateways + tableWriters + projectors + redis + clickhouse;
  return [
    {
      what: 'locations that its cores take when all are busy', unit: 'a second',
      foretold: checks.cores * US / (ours + brokers), measured: checks.locationsPerSecond,
    },
    ...checks.knownUs.map(({ known, us }) => ({
      what: `cost of a location without the brokers, ${known} devices known`, unit: 'µs',
      foretold: ours, measured: us,
    })),
  ];
}
