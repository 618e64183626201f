import { isFree } from './ports.ts';
import type { PartName } from './part.ts';
import { probeClickHouse, probeKafka, probeRedis, probeRegistry } from './probes.ts';
import { waitFor } from './wait.ts';

/** The environment variable that names a running part to be used instead of a local one. */
export const ADDRESS_VARIABLES = {
  kafka: 'KAFKA_BROKERS',
  redis: 'REDIS_URL',
  clickhouse: 'CLICKHOUSE_URL',
  registry: 'SCHEMA_REGISTRY_URL',
} as const satisfies Record<PartName, string>;

const REACHABLE_MS_MAX = 5_000;

/** The address of a part named in the environment, or undefined when a local one is wanted. */
export function externalAddress(part: PartName, env: NodeJS.ProcessEnv): string | undefined {
  const address = env[ADDRESS_VARIABLES[part]]?.trim();
  return address === '' ? undefined : address;
}

/** Checks that a part named in the environment answers its own protocol; else one sentence. */
export async function requireReachable(
  part: PartName,
  address: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const probe = (): Promise<boolean> => probePart(part, address, env);
  const options = { what: part, deadlineMs: REACHABLE_MS_MAX, everyMs: 250 };
  await waitFor(probe, options).catch((cause: unknown) => {
    const shown = address.replace(/\/\/[^@/]*@/, '//');
    throw new Error(
      `${ADDRESS_VARIABLES[part]} names ${shown}, but no ${part} answers there: start it, ` +
        'correct the address or the credential, or unset the variable to use a local one.',
      { cause },
    );
  });
}

async function probePart(part: PartName, address: string, env: NodeJS.ProcessEnv) {
  switch (part) {
    case 'kafka':
      return probeAnyBroker(address);
    case 'redis':
      return probeRedis(address);
    case 'clickhouse':
      return probeClickHouse(
        address,
        env['CLICKHOUSE_USER'] ?? 'default',
        env['CLICKHOUSE_PASSWORD'] ?? '',
      );
    case 'registry':
      return probeRegistry(address);
  }
}

async function probeAnyBroker(brokers: string): Promise<boolean> {
  for (const broker of brokers.split(',')) {
    const { hostname, port } = new URL(`kafka://${broker.trim()}`);
    if (await probeKafka(hostname, Number(port || 9092))) return true;
  }
  return false;
}

/** Throws one sentence when another process has a fixed port. */
export async function requireFree(part: PartName, port: number): Promise<void> {
  if (await isFree(port)) return;
  throw new Error(
    `Port ${port} of 127.0.0.1, wanted for ${part}, is taken: end what listens there, choose ` +
      `another port, or name a running ${part} by ${ADDRESS_VARIABLES[part]}.`,
  );
}
