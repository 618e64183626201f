import type { Settings } from './setting.ts';

/** Pattern of the name of a replica of the tables. */
export const REPLICA_NAME = '^[a-z][a-z0-9]{0,15}$';

/** One replica of the tables beside that of `CLICKHOUSE_URL`. */
export interface ReplicaAddress {
  readonly name: string;
  readonly url: string;
}

/** The setting of who reads, compares or erases in every replica. */
export const replicasSettings = {
  CLICKHOUSE_REPLICAS: {
    type: 'list', default: [],
    description: 'Further replicas of the tables, name=address, in the order to ask them, or none.',
  },
} as const satisfies Settings;

/** The replicas that a list names; throws one sentence where an entry is not name=address. */
export function replicasIn(entries: readonly string[]): readonly ReplicaAddress[] {
  const replicas = entries.map((entry) => {
    const [, name = '', url = ''] = /^([^=]*)=(.*)$/.exec(entry.trim()) ?? [];
    if (!new RegExp(REPLICA_NAME).test(name) || !/^https?:\/\/./.test(url) || !URL.canParse(url)) {
      throw new Error(
        `CLICKHOUSE_REPLICAS has "${entry}": write name=address, such as b=https://clickhouse-b:8443.`,
      );
    }
    return { name, url };
  });
  if (new Set(replicas.map(({ name }) => name)).size < replicas.length) {
    throw new Error('CLICKHOUSE_REPLICAS names one replica twice.');
  }
  return replicas;
}

/**
 * The address of the replica that a process fills or restores: of `CLICKHOUSE_URL` unless another
 * is named. Throws one sentence where the list has none of that name.
 */
export function replicaUrlOf(
  { CLICKHOUSE_URL, CLICKHOUSE_REPLICAS, RASTRO_CLICKHOUSE_REPLICA: name }: {
    readonly CLICKHOUSE_URL: string;
    readonly CLICKHOUSE_REPLICAS: readonly string[];
    readonly RASTRO_CLICKHOUSE_REPLICA?: string | undefined;
  },
): string {
  const others = replicasIn(CLICKHOUSE_REPLICAS);
  if (name === undefined) return CLICKHOUSE_URL;
  const own = others.find((each) => each.name === name);
  if (own !== undefined) return own.url;
  throw new Error(`RASTRO_CLICKHOUSE_REPLICA is ${name}, which CLICKHOUSE_REPLICAS does not name.`);
}

/** The replicas that a variable names; none where it is absent. */
export function readReplicas(text: string | undefined): readonly ReplicaAddress[] {
  return replicasIn((text ?? '').split(',').filter((entry) => entry.trim() !== ''));
}
