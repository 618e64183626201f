import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_GRANTS } from './demo-client.ts';
import { firstToken } from './first-token.ts';
import { startProviderService } from './services.ts';
import { startSystem, type System } from './system.ts';

/** Where a private system listens, settings of its gateways, and whether its files outlive it. */
export interface PrivateOptions {
  readonly port: number;
  readonly gatewaySettings?: Readonly<Record<string, string>>;
}

const SLOWLY = { speed: 1, replaySeconds: 0, shipments: 0 };

/**
 * Starts a whole system for one piece of work, in a directory of its own, and ends it whatever
 * the work does. The work is told by `signal` when somebody wants to end it earlier.
 */
export async function withPrivateSystem(
  options: PrivateOptions, work: (system: System, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-private-'));
  const running: (() => Promise<unknown>)[] = [];
  const leaving = new AbortController();
  const leave = (): void => { leaving.abort(); };
  for (const name of SIGNALS) process.on(name, leave);
  const ending = (stop: () => Promise<unknown>): void => void running.push(stop);
  try {
    const system = await startSystem({ grants: ALL_GRANTS, ...options, dir }, {
      ending, isTold: () => leaving.signal.aborted, log: tell,
    });
    if (system === undefined) return 130;
    const provider = await startProviderService(
      system.around, system.identity, { ...SLOWLY, ledgerFile: join(dir, 'ledger.jsonl') },
    );
    ending(() => provider.stop());
    await firstToken(system);
    return leaving.signal.aborted ? 130 : await work(system, leaving.signal);
  } finally {
    for (const stop of running.toReversed()) await stop();
    rmSync(dir, { recursive: true, force: true });
    for (const name of SIGNALS) process.off(name, leave);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function tell(grade: 'info' | 'warning', line: string): void {
  process.stderr.write(`${grade === 'warning' ? 'warning: ' : ''}${line}\n`);
}
