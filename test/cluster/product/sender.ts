import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import type { Namespaces } from '../../containers/machine/namespaces.ts';
import { NETWORK } from '../network.ts';
import { partIn, type ClusterPart } from '../part.ts';

/** Devices that drive, and the ledger of what they sent. */
export interface PodSender {
  readonly ledger: string;
  /** Ends the drive; what is in hand is delivered, or known not to be. */
  readonly end: () => Promise<void>;
}

/** The client that the reference provider acts as. */
export interface SenderClient {
  readonly client_id: string;
  readonly client_secret: string;
}

/** How calls were answered, as the front has written it down. */
export interface AnswerCounts {
  readonly calls: number;
  /** Broken off, abandoned by their caller, or answered with a status from 500 on; by which. */
  readonly failures: Readonly<Record<string, number>>;
}

const FRONT_PORT = 8080;
const FRONT_MS_MAX = 300_000;
const FRONT = join(import.meta.dirname, '..', 'inside', 'front.ts');
const PROVIDER = 'services/provider/main.ts';
const DEVICES = '20';

/** The front of the cluster. */
export interface ClusterFront {
  readonly counts: () => AnswerCounts;
}

/** Starts what is in place of the Gateway of the cluster, with the address of each Service. */
export async function startFront(
  namespaces: Namespaces, folder: string, services: Readonly<Record<string, string>>,
): Promise<ClusterFront> {
  const file = join(folder, 'front.json');
  const part = partIn(namespaces, folder, 'front', [
    process.execPath, FRONT, NETWORK.address, String(FRONT_PORT), file, JSON.stringify(services),
  ]);
  if (await part.lives()) await part.end('KILL');
  part.start();
  const counts = (): AnswerCounts => countsFrom(readFileSync(file, 'utf8'));
  await waitFor(() => {
    try {
      return counts().calls >= 0;
    } catch {
      return false;
    }
  }, { what: `The front (${part.said()})`, deadlineMs: FRONT_MS_MAX });
  return { counts };
}

/** Sums what the front has written. */
export function countsFrom(text: string): AnswerCounts {
  const all = JSON.parse(text) as Readonly<Record<string, number>>;
  return {
    calls: sumOf(all),
    failures: Object.fromEntries(Object.entries(all).filter(([name]) => !name.endsWith('xx'))),
  };
}

/** What was counted since then. */
export function countedSince(before: AnswerCounts, now: AnswerCounts): {
  readonly calls: number; readonly failed: number; readonly complaints: readonly string[];
} {
  const failures = Object.entries(now.failures)
    .map(([name, times]) => [name, times - (before.failures[name] ?? 0)] as const)
    .filter(([, times]) => times > 0);
  const failed = sumOf(Object.fromEntries(failures));
  const listed = failures.map(([name, times]) => `${name}: ${times}`).join(', ');
  return {
    calls: now.calls - before.calls, failed,
    complaints: failed === 0 ? [] : [`${failed} calls failed (${listed})`],
  };
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0);
}

/** Starts the reference provider on the node, as a caller from outside. */
export function startSender(
  namespaces: Namespaces, folder: string, name: string, client: SenderClient,
): PodSender {
  const ledger = join(folder, `${name}.jsonl`);
  const settings = {
    RASTRO_URL: `http://${NETWORK.address}:${FRONT_PORT}`,
    RASTRO_CLIENT_ID: client.client_id, RASTRO_CLIENT_SECRET: client.client_secret,
    RASTRO_PROVIDER: 'demo', RASTRO_COUNTRY: 'US', RASTRO_PROVIDER_COMMAND_TOKEN: 'none',
    RASTRO_REPLAY_DEVICES: DEVICES, RASTRO_LEDGER_FILE: ledger,
    // A gateway that is away is asked again soon: an act waits for rows.
    RASTRO_PROVIDER_BACKOFF_MS_MAX: '4000',
  };
  const part: ClusterPart = partIn(namespaces, folder, `sender-${name}`, [
    'env', ...Object.entries(settings).map(([variable, value]) => `${variable}=${value}`),
    process.execPath, PROVIDER,
  ]);
  part.start();
  return { ledger, end: () => part.end('TERM') };
}
