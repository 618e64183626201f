/** A ScaledObject as KEDA keeps it. */
export interface ScaledObject {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly triggers: readonly {
      readonly type: string; readonly metadata: Readonly<Record<string, string>>;
    }[];
  };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string; readonly status: string;
    }[];
    readonly externalMetricNames?: readonly string[];
    /** How the last question of each figure went. */
    readonly health?: Readonly<Record<string, { readonly status?: string }>>;
  };
}

/** What the seconds trigger of a worker asks, and from when on it wants more Pods. */
export interface SecondsTrigger {
  readonly query: string;
  readonly threshold: number;
}

const FACTORS: Readonly<Record<string, number>> = { m: 1e-3, k: 1e3, M: 1e6, G: 1e9 };

/** Triggers that KEDA has no figure for, by name; all of them before it has asked. */
export function unanswered({ metadata, spec, status = {} }: ScaledObject): readonly string[] {
  const { externalMetricNames: names = [], health = {} } = status;
  if (names.length < spec.triggers.length) {
    return [`${metadata.name} has ${names.length} of ${spec.triggers.length} figures`];
  }
  return names.filter((name) => health[name]?.status !== 'Happy')
    .map((name) => `${name} of ${metadata.name} has no value`);
}

/** What KEDA says of `Ready` or `Fallback`: `True`, `False` or `Unknown`. */
export function conditionOf({ status }: ScaledObject, type: string): string {
  return status?.conditions?.find((each) => each.type === type)?.status ?? 'Unknown';
}

/** The first trigger that asks Prometheus. */
export function secondsTrigger({ metadata, spec }: ScaledObject): SecondsTrigger {
  const asked = spec.triggers.find(({ type }) => type === 'prometheus')?.metadata ?? {};
  const { query, threshold } = asked;
  if (query === undefined || threshold === undefined) {
    throw new Error(`${metadata.name} does not ask Prometheus.`);
  }
  return { query, threshold: Number(threshold) };
}

/** The name of the figure of the first trigger that asks the log. */
export function recordsFigure({ metadata, status }: ScaledObject): string {
  const name = status?.externalMetricNames?.find((each) => /^s\d+-kafka-/.test(each));
  if (name === undefined) throw new Error(`${metadata.name} does not ask the log.`);
  return name;
}

/** A number as Kubernetes writes it: `7`, `7500m` or `3k`. */
export function quantity(text: string): number {
  const [, digits, unit = ''] = /^(-?\d[\d.]*)([mkMG]?)$/.exec(text) ?? [];
  if (digits === undefined) throw new Error(`${JSON.stringify(text)} is no quantity.`);
  return Number(digits) * (FACTORS[unit] ?? 1);
}

/** Partitions that a worker had of a group at last, as its log says; 0 before it is a member. */
export function partitionsIn(log: string, group: string): number {
  const assigned = log.split('\n').flatMap((line): readonly number[] => {
    try {
      const said = JSON.parse(line) as Readonly<Record<string, unknown>>;
      const isIt = said['event'] === 'consumer_assigned' && said['group'] === group;
      return isIt ? [Number(said['partitions'])] : [];
    } catch {
      return [];
    }
  });
  return assigned.at(-1) ?? 0;
}
