import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { firstToken } from '../../../infra/local/processes/first-token.ts';
import type { BenchCluster } from '../cluster.ts';
import { cpuUs } from '../measure/cpu.ts';
import { median } from '../measure/statistics.ts';

/** What one large body does to a gateway, by what it holds. */
export interface LargeRow {
  readonly body: string;
  readonly bytes: number;
  /** Median of the longest pause of the event loop around a body, in milliseconds. */
  readonly pauseMs: number;
  /** Median of CPU of the gateway and of the workers for a body, in milliseconds. */
  readonly gatewayMs: number;
  readonly workersMs: number;
  /** What was answered instead of 202. */
  readonly wrong: readonly string[];
}

const ROUNDS = 5;
const BYTES = 6 * 1_048_576 - 2_000;
const ACCEPTED = 202;
/** Longer than tables take to be written, and a gateway to rest after a large body. */
const SETTLE_MS = 6_000;
const PAUSE = /^nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)$/m;

const KINDS: Readonly<Record<string, () => unknown>> = {
  'nothing': () => '',
  'one text': () => randomBytes(BYTES).toString('base64').slice(0, BYTES),
  'a thousand texts': () => Array.from({ length: 1_000 }, () => 'y'.repeat(BYTES / 1_010)),
};

/** Pushes large bodies one after the other, kind by kind in turn; "nothing" is a small one. */
export async function measureLarge(cluster: BenchCluster): Promise<readonly LargeRow[]> {
  const { local } = cluster;
  const token = await firstToken(local, 'logistic-feed');
  const rows = new Map(Object.keys(KINDS).map((body) => [body, {
    bytes: 0, pauses: [] as number[], gateway: [] as number[],
    workers: [] as number[], wrong: [] as string[],
  }]));
  const gateways = [cluster.pidOfService(local.gateways)];
  const workers = local.workers.map((part) => cluster.pidOfService(part));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [body, row] of rows) {
      const text = JSON.stringify([{
        tracking_number: `BENCH-${Date.now()}`, code: 'EX-HUB', carrier_code: 'H',
        payload: { date: new Date().toISOString() }, comment_of_ours: KINDS[body]?.(),
      }]);
      await longestPauseMs(local.adminUrl);
      const before = [cpuUs(gateways), cpuUs(workers)] as const;
      const answer = await fetch(`${local.url}/shipping/tracking/notifications`, {
        method: 'POST', body: text,
        headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
      });
      if (answer.status !== ACCEPTED) row.wrong.push(`${body} was answered ${answer.status}`);
      const pauseMs = await longestPauseMs(local.adminUrl);
      await delay(SETTLE_MS);
      // The first round only warms up.
      if (round < 0) continue;
      row.bytes = text.length;
      row.pauses.push(pauseMs);
      row.gateway.push((cpuUs(gateways) - before[0]) / 1_000);
      row.workers.push((cpuUs(workers) - before[1]) / 1_000);
    }
  }
  return [...rows].map(([body, { bytes, pauses, gateway, workers: behind, wrong }]) => ({
    body, bytes, pauseMs: median(pauses), gatewayMs: median(gateway), workersMs: median(behind),
    wrong: [...new Set(wrong)],
  }));
}

/** Since it was asked the last time. */
async function longestPauseMs(adminUrl: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(PAUSE.exec(text)?.[1]) * 1_000;
}
