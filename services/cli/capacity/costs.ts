/** What one run of `npm run bench` has measured, as far as the model reads it. */
export interface Costs {
  /** The run in one line: command, commit and machine. */
  readonly run: string;
  readonly figures: Figures;
  readonly checks: Checks;
}

/** What the run measured besides, to which the model is held: it reads none of it. */
interface Checks {
  readonly cores: number;
  readonly locationsPerSecond: number;
  /** The chain once more, with so many devices known. */
  readonly knownUs: readonly { readonly known: number; readonly us: number }[];
}

/** A figure of the model by its name; units are in `FIGURES`. */
export type Figures = Readonly<Record<keyof typeof FIGURES, number>>;

/** The report of a bench run as JSON: only what is asked for here is known of it. */
type Node = Readonly<Record<string, unknown>>;

/**
 * Every figure that the model reads, and where the report has it (test/bench/report.ts). The
 * chain is loaded with ten locations a post: with other sizes of posts a location costs otherwise.
 */
export const FIGURES = {
  gateways: { path: 'chain.cpuUs.gateway', unit: 'µs a location' },
  tableWriters: { path: 'chain.cpuUs.table-writer', unit: 'µs a location' },
  projectors: { path: 'chain.cpuUs.projectors', unit: 'µs a location' },
  redis: { path: 'chain.cpuUs.redis', unit: 'µs a location' },
  clickhouse: { path: 'chain.cpuUs.clickhouse', unit: 'µs a location' },
  brokers: { path: 'chain.cpuUs.kafka', unit: 'µs a location and copy' },
  redisBytes: { path: 'known', unit: 'bytes a device' },
  gatewayBytes: { path: 'known', unit: 'bytes of one gateway' },
  diskBytes: { path: 'disk.recorded.withTelemetryBytes', unit: 'bytes a location' },
  catchUp: {
    path: 'catchUp.catchUpLocationsPerSecond', unit: 'locations a second of one table-writer',
  },
} as const;

/** Locations of one post, and so of one record, wherever the run loads the chain. */
export const LOCATIONS_A_RECORD = 10;

/**
 * Reads the figures of a bench report. Throws one sentence that names what is missing, or what the
 * run itself calls wrong: a figure of such a run says nothing.
 */
export function readCosts(report: unknown): Costs {
  const wrong = [at(report, 'chain'), ...fleetsOf(report)].flatMap((row) => at(row, 'wrong') ?? [])
    .map(String);
  if (wrong.length > 0) throw new Error(`The run of the bench is wrong itself: ${wrong.join('; ')}.`);
  const figures = Object.fromEntries(Object.entries(FIGURES).map(([name, { path }]) => (
    [name, OF_FLEETS[name]?.(report) ?? numberAt(report, path)]
  ))) as Figures;
  const text = (path: string): string => String(at(report, path));
  return {
    run: `\`${text('command')}\` at commit ${text('machine.commit')} on ${text('machine.cpu')}, `
      + `${text('machine.cores')} cores, load before ${text('machine.loadBefore')}`,
    figures,
    checks: {
      cores: numberAt(report, 'machine.cores'),
      locationsPerSecond: numberAt(report, 'chain.locationsPerSecond'),
      knownUs: fleetsOf(report).map((fleet) => (
        { known: numberAt(fleet, 'known'), us: numberAt(fleet, 'oursUs') }
      )),
    },
  };
}

/** Figures that are worked out of several fleets. */
const OF_FLEETS: Readonly<Record<string, (report: unknown) => number>> = {
  redisBytes: bytesADevice, gatewayBytes: largestGateway,
};

/** What the store grew by from the smallest fleet to the largest, per device. */
function bytesADevice(report: unknown): number {
  const fleets = fleetsOf(report).toSorted((one, other) => (
    numberAt(one, 'known') - numberAt(other, 'known')
  ));
  const [first, last] = [fleets[0], fleets.at(-1)];
  if (fleets.length < 2) throw new Error('The report has no two fleets in `known`.');
  return (numberAt(last, 'storeBytes') - numberAt(first, 'storeBytes'))
    / (numberAt(last, 'known') - numberAt(first, 'known'));
}

/** What a gateway held at most. */
function largestGateway(report: unknown): number {
  return Math.max(...fleetsOf(report).map((fleet) => numberAt(fleet, 'gatewayBytes')));
}

function fleetsOf(report: unknown): readonly Node[] {
  const known = at(report, 'known');
  return Array.isArray(known) ? known as readonly Node[] : [];
}

function numberAt(node: unknown, path: string): number {
  const value = at(node, path);
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`The report of the bench has no number at \`${path}\`.`);
}

function at(node: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, name) => (
    typeof found === 'object' && found !== null ? (found as Node)[name] : undefined
  ), node);
}
