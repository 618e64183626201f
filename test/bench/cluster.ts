import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_GRANTS } from '../../infra/local/processes/demo-client.ts';
import { gatewaysPlan, workerPlans } from '../../infra/local/processes/local-plans.ts';
import { startLocalStack, type LocalStack } from '../../infra/local/processes/local-stack.ts';
import { PART_NAMES, type Part, type PartName } from '../../infra/local/part.ts';
import type { LoadSender } from './load/order.ts';
import { readySenders } from './senders.ts';

/** The whole system with devices that are tracked, alone on ports of its own. */
export interface BenchCluster {
  readonly local: LocalStack;
  readonly senders: readonly LoadSender[];
  readonly path: string;
  /** Process of a part of the stack. */
  pidOf(part: PartName): number;
  /** Process of a supervised service. */
  pidOfService(part: Part): number;
  close(): Promise<void>;
}

/** A million devices take 0.7 GB of it, ten million shipments more than ten times as much. */
const REDIS_MEMORY_MAX = '16gb';

/** Quotas are per provider, and here one client acts for all of them. */
const NO_QUOTA = '100000000';
const UNLIMITED = Object.fromEntries([
  ...['REQUESTS', 'LOCATIONS', 'BYTES', 'DEVICE_REQUESTS'].flatMap((what) => [
    [`RASTRO_${what}_PER_SECOND`, NO_QUOTA], [`RASTRO_${what}_BURST`, NO_QUOTA],
  ]),
  // All lines of a run come from one address.
  ...['HTTP_CONNECTIONS_PER_ADDRESS_MAX', 'BAD_TOKENS_PER_MINUTE', 'BAD_TOKENS_BURST'].map(
    (what) => [`RASTRO_${what}`, NO_QUOTA],
  ),
]);

/**
 * Starts the system, without limits but those given, and so many devices; nothing is left running
 * when that fails. The gateways are those that take calls: the live feeds read the whole log again
 * and have a process of their own where the manifests deploy them.
 */
export async function openBenchCluster(
  port: number, devices: number, limits: Readonly<Record<string, string>> = {},
): Promise<BenchCluster> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-bench-'));
  const local = await startLocalStack({
    dir, port, grants: ALL_GRANTS, gatewaySettings: { ...UNLIMITED, ...limits },
    // As where each has a machine of its own: what works behind the log is not held back.
    workNiceness: 0, redisMemoryMax: REDIS_MEMORY_MAX, log: () => undefined,
    plans: (settings) => [
      { ...gatewaysPlan(settings), runs: ['all'] },
      ...workerPlans(settings.ports, settings.secrets),
    ],
  });
  const close = async (): Promise<void> => {
    await local.close();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const senders = await readySenders(local, devices, 'bench');
    const { provider, country } = local.identity;
    return {
      local, senders, close,
      path: `/shipping/rtt/georeceiver/${provider}/locations?country_id=${country}`,
      pidOf: (name) => pidOfPart(local.stack.parts[name], name),
      pidOfService: (part) => pidOfPart(part, part.name),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Processes of everything that is not the subject of a row. */
export function stackPids({ pidOf }: Pick<BenchCluster, 'pidOf'>): readonly number[] {
  return PART_NAMES.map((name) => pidOf(name));
}

function pidOfPart(part: Part | undefined, name: string): number {
  const pid = part?.pid();
  if (pid === undefined) throw new Error(`${name} does not run.`);
  return pid;
}
