import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printLine } from '../part.ts';
import { ALL_GRANTS } from './demo-client.ts';
import { firstToken } from './first-token.ts';
import { providerPlan } from './local-plans.ts';
import { startLocalStack, type LocalStack } from './local-stack.ts';

/** Where a private platform listens, and settings of its gateways. */
export interface PrivateOptions {
  readonly port: number;
  readonly gatewaySettings?: Readonly<Record<string, string>>;
}

const SLOWLY = { speed: 1, replaySeconds: 0, shipments: 0 };
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ENDED_EARLY = 130;

/**
 * Starts a whole platform for one piece of work, in a directory of its own, and ends it whatever
 * the work does. `signal` asks the work to end earlier.
 */
export async function withPrivateStack(
  options: PrivateOptions, work: (local: LocalStack, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-private-'));
  const leaving = new AbortController();
  const leave = (): void => { leaving.abort(); };
  for (const name of SIGNALS) process.on(name, leave);
  let local: LocalStack | undefined;
  try {
    local = await startLocalStack({
      grants: ALL_GRANTS, ...options, dir, leaving: leaving.signal, log: printLine,
    });
    await local.start(providerPlan(local, { ...SLOWLY, ledgerFile: join(dir, 'ledger.jsonl') }));
    await firstToken(local);
    return leaving.signal.aborted ? ENDED_EARLY : await work(local, leaving.signal);
  } catch (error) {
    if (leaving.signal.aborted) return ENDED_EARLY;
    throw error;
  } finally {
    await local?.close();
    rmSync(dir, { recursive: true, force: true });
    for (const name of SIGNALS) process.off(name, leave);
  }
}
