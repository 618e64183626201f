import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Part } from '../../infra/local/part.ts';
import { waitFor } from '../../infra/local/wait.ts';
import { watchFreshness, type Query } from './freshness.ts';
import type { PlatformIdentity } from './demo-client.ts';
import { balance, isClean } from './ledger.ts';
import type { StartOptions } from './options.ts';
import { providerStatus, startTracking } from './platform.ts';
import { startProviderService, type ProviderIdentity, type ServiceSurroundings }
  from './services.ts';

/** How far the consumer group of the store is behind the log, in records. */
export type Backlog = () => Promise<bigint>;

/** What a replay needs beside the running services. */
export interface ReplayPorts {
  readonly query: Query;
  readonly backlog: Backlog;
  readonly print: (text: string) => void;
  readonly isTold: () => boolean;
}

/** A replay under way. */
export interface Replay {
  readonly provider: Part;
  readonly ledgerFile: string;
  /** Looks for new rows and prints progress, until the replay is over or told to end. */
  readonly watch: () => Promise<void>;
  /** Waits for the stores, compares item by item, prints the ledger; true when it is clean. */
  readonly settle: () => Promise<boolean>;
}

const LOOK_MS = 250;
const LOOKS_PER_LINE = 8;
const DRAIN_MS_MAX = 60_000;
const CATCH_UP_MS_MAX = 60_000;

/** Starts the provider and, as the platform, tells it which transports to track. */
export async function startReplay(
  options: StartOptions, around: ServiceSurroundings,
  { identity, platform }: { identity: ProviderIdentity; platform: PlatformIdentity },
  ports: ReplayPorts,
): Promise<Replay> {
  const ledgerFile = join(options.dir, 'ledger.jsonl');
  rmSync(ledgerFile, { force: true });
  const startedMs = Date.now();
  const freshness = watchFreshness(ports.query, startedMs);
  const provider = await startProviderService(around, identity, {
    speed: options.speed, replaySeconds: options.forSeconds ?? 0, ledgerFile,
  });
  const url = `http://127.0.0.1:${around.ports.provider}`;
  await startTracking(
    { url: `http://127.0.0.1:${around.ports.http}`, ...platform, provider: identity.provider },
    options.devices, identity.country,
  );

  async function watch(): Promise<void> {
    for (let looks = 0; !ports.isTold(); looks++) {
      await delay(LOOK_MS);
      await freshness.look();
      if (looks % LOOKS_PER_LINE !== 0) continue;
      const status = await providerStatus(url);
      const stored = freshness.seen();
      ports.print(
        `${String(Math.round((Date.now() - startedMs) / 1_000)).padStart(5)} s`
        + `  devices ${status?.tracking ?? '?'}  accepted ${status?.accepted ?? '?'}`
        + `  in Kafka, not yet stored ${await ports.backlog()} posts`
        + `  in ClickHouse ${stored}`
        + `  road to query p50 ${(freshness.percentile(0.5) / 1_000).toFixed(1)} s`
        + ` p99 ${(freshness.percentile(0.99) / 1_000).toFixed(1)} s\n`,
      );
      if (status?.drained === true) return;
    }
  }

  async function settle(): Promise<boolean> {
    await waitFor(async () => (await providerStatus(url))?.drained ?? false, {
      what: 'The end of the replay', deadlineMs: DRAIN_MS_MAX,
    });
    await waitFor(async () => await ports.backlog() === 0n, {
      what: 'The catching up of ClickHouse', deadlineMs: CATCH_UP_MS_MAX,
    });
    await freshness.look();
    const result = await balance(ledgerFile, ports.query);
    ports.print(`sent=${result.sent} accepted=${result.accepted} stored=${result.stored}`
      + ` duplicates=${result.duplicates} dead=${result.dead} lost=${result.lost}`
      + ` doubled=${result.doubled} freshness_p99_ms=${Math.round(freshness.percentile(0.99))}\n`);
    if (!isClean(result)) ports.print(`difference: ${JSON.stringify(result)}\n`);
    return isClean(result);
  }

  return { provider, ledgerFile, watch, settle };
}
