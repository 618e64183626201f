import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Part } from '../part.ts';
import { waitFor } from '../wait.ts';
import { issueFirst, issueLater, untilDone, type CommandsConfig } from './commands.ts';
import { reportOutcomes } from './item-outcomes.ts';
import { watchFreshness, type Query } from './freshness.ts';
import { balanceAll, counters, isClean, total } from './ledger.ts';
import { wrongStates } from './last-states.ts';
import { openPlatform } from './party.ts';
import { providerStatus } from './provider-status.ts';
import { providerPlan } from '../processes/local-plans.ts';
import type { LocalStack } from '../processes/local-stack.ts';

/** What `npm start` was asked to do. Ports count up from `port`. */
export interface StartOptions {
  readonly dir: string;
  readonly port: number;
  readonly replay: boolean;
  readonly devices: number;
  readonly speed: number;
  /** Length of the replay in seconds; undefined until Ctrl-C. */
  readonly forSeconds: number | undefined;
  /** As many as the devices ask for, unless given. */
  readonly shipments?: number;
}

/** How far those who read the log are behind it, in records, in the order of the flow. */
export interface Backlogs {
  /** Notifications that are not classified. */
  readonly classifying: () => Promise<bigint>;
  /** Records that are not in ClickHouse. */
  readonly storing: () => Promise<bigint>;
}

/** What a replay needs beside the running services. */
export interface ReplayPorts {
  readonly query: Query;
  readonly backlogs: Backlogs;
  readonly print: (text: string) => void;
  readonly leaving: AbortSignal;
}

/** A replay in progress. */
export interface Replay {
  readonly provider: Part;
  /** Polls for new rows and prints progress, until the replay is over or aborted. */
  readonly watch: () => Promise<void>;
  /**
   * Waits for the stores, compares item by item, prints the ledger; true when it is clean and
   * everything that was accepted has an outcome.
   */
  readonly finish: () => Promise<boolean>;
}

/** One shipment for so many devices, and at least so many: each of a set is treated otherwise. */
const DEVICES_PER_SHIPMENT = 10;
const SHIPMENTS_MIN = 8;
/** Later commands come in this share of a run, or after so long when it has no end. */
const LATER_FRACTION = 0.4;
const LATER_MS = 20_000;
const LINE_MS = 2_000;
const DRAIN_MS_MAX = 60_000;
const CATCH_UP_MS_MAX = 60_000;

/** Starts the provider and, as the platform, sends it commands, some of them later. */
export async function startReplay(
  options: StartOptions, local: LocalStack, ports: ReplayPorts,
): Promise<Replay> {
  const { identity, platform: asPlatform, providerUrl: url } = local;
  const { forSeconds, devices, speed } = options;
  const ledgerFile = join(options.dir, 'ledger.jsonl');
  rmSync(ledgerFile, { force: true });
  const startedMs = Date.now();
  const freshness = watchFreshness(ports.query, startedMs);
  // From the first fix on: a row that is polled late would seem late.
  const polling = new AbortController();
  const following = freshness.follow(AbortSignal.any([polling.signal, ports.leaving]));
  const { part: provider } = await local.start(providerPlan(local, {
    speed, replaySeconds: forSeconds ?? 0, ledgerFile,
    shipments: options.shipments
      ?? Math.max(SHIPMENTS_MIN, Math.round(devices / DEVICES_PER_SHIPMENT)),
  }));
  const { provider: name, country } = identity;
  const platform = await openPlatform({
    url: local.url, ...asPlatform, provider: name, country,
  }, ledgerFile, ports.leaving);
  const commands: CommandsConfig = {
    transports: devices, country,
    laterMs: forSeconds === undefined ? LATER_MS : forSeconds * 1_000 * LATER_FRACTION,
    doneMsMax: CATCH_UP_MS_MAX,
  };
  const ids = await issueFirst(commands, platform);
  // A fault among the later commands ends the run in `finish`, not in the middle.
  const later = issueLater(commands, platform, ids, ports.leaving)
    .then((more) => [...ids, ...more], (error: unknown) => error as Error);

  async function watch(): Promise<void> {
    while (!ports.leaving.aborted) {
      await delay(LINE_MS, undefined, { signal: ports.leaving }).catch(() => undefined);
      const status = await providerStatus(url);
      ports.print(
        `${String(Math.round((Date.now() - startedMs) / 1_000)).padStart(5)} s`
        + `  devices ${status?.tracking ?? '?'}  shipments ${status?.shipments_ended ?? '?'}`
        + `  locations accepted ${status?.accepted ?? '?'}`
        + `  in Kafka, not yet stored ${await ports.backlogs.storing().catch(() => '?')} posts`
        + `  in ClickHouse ${freshness.seen()}`
        + `  road to query p50 ${(freshness.percentile(0.5) / 1_000).toFixed(1)} s`
        + ` p99 ${(freshness.percentile(0.99) / 1_000).toFixed(1)} s\n`
        + awayLine(freshness.failure()),
      );
      if (status?.drained === true) return;
    }
  }

  async function untilStored(): Promise<void> {
    const issued = await later;
    if (issued instanceof Error) throw issued;
    for (const id of issued) await untilDone(commands, platform, id, ports.leaving);
    await waitFor(async () => {
      const status = await providerStatus(url);
      return status?.drained === true && status.in_hand === 0 && status.deferred_open === 0;
    }, { what: 'The end of the replay', deadlineMs: DRAIN_MS_MAX });
    for (const backlog of [ports.backlogs.classifying, ports.backlogs.storing]) {
      await waitFor(async () => await backlog() === 0n, {
        what: 'The catching up of the stores', deadlineMs: CATCH_UP_MS_MAX,
      });
    }
    polling.abort();
    await following;
    await freshness.poll();
  }

  async function finish(): Promise<boolean> {
    await untilStored();
    const balances = await balanceAll(ledgerFile, {
      query: ports.query, findCommand: platform.find,
    });
    const wrong = await wrongStates(ledgerFile, ports.query);
    const outcomes = await reportOutcomes(ports.query, startedMs);
    platform.close();
    const all = total(balances);
    ports.print(`${outcomes.line}\n`);
    if (!outcomes.isExplained) ports.print('difference: something accepted has no outcome\n');
    for (const [kind, balance] of balances) {
      ports.print(`${kind.padEnd(16)} ${counters(balance)}\n`);
      if (!isClean(balance)) ports.print(`difference: ${JSON.stringify(balance)}\n`);
    }
    for (const sentence of wrong) ports.print(`difference: ${sentence}\n`);
    ports.print(counters(all)
      + ` freshness_p99_ms=${Math.round(freshness.percentile(0.99))}\n`);
    return isClean(all) && wrong.length === 0 && outcomes.isExplained;
  }

  return { provider, watch, finish };
}

/** Tables that are away end nothing: a restore replaces them while all else goes on. */
function awayLine(failure: string | undefined): string {
  return failure === undefined ? '' : `        the tables do not answer: ${failure}\n`;
}
