import { setTimeout as delay } from 'node:timers/promises';
import { type LocalStack } from '../../../infra/local/processes/local-stack.ts';
import { openOperator } from '../../../services/cli/assemble.ts';
import { clientCommand } from '../../../services/cli/client/command.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { openBenchCluster } from '../cluster.ts';
import { untilLevel } from '../level.ts';
import { openShooter } from '../load/open-shooter.ts';
import type { Order, LoadTally } from '../load/order.ts';
import { quantile } from '../measure/statistics.ts';
import { readySenders } from '../senders.ts';

/** One provider posts five times what the system can take, beside one that behaves. */
export interface OverloadRow {
  /** Posts a second that one gateway took in the row of the chain. */
  readonly peakPostsPerSecond: number;
  /** The posts of both providers together, as a fraction of the peak: tried, and accepted. */
  readonly triedFraction: number;
  readonly acceptedFraction: number;
  /** The provider that behaves, alone and beside the other. */
  readonly calmP99Ms: number;
  readonly besideP99Ms: number;
  readonly wrong: readonly string[];
}

const TIMES_PEAK = 5;
/** What each provider may post, as a share of the peak, and what the one that behaves does. */
const LIMIT_SHARE = 0.8;
const GOOD_SHARE = 0.15;
const LOCATIONS = 10;
const LINES = { abusive: 512, good: 32 };
const GOOD_DEVICES = 32;
const WARM_UP_MS = 15_000;
const CALM_MS = 8_000;
const BESIDE_MS = 15_000;

/** Opens a cluster of its own with limits, because all others have none. */
export async function measureOverload(
  port: number, devices: number, peak: number, nextSecond: () => number,
): Promise<OverloadRow> {
  const limit = String(Math.ceil(peak * LIMIT_SHARE));
  const cluster = await openBenchCluster(port, devices, {
    RASTRO_REQUESTS_PER_SECOND: limit, RASTRO_REQUESTS_BURST: limit,
  });
  const [abusive, good] = [openShooter(), openShooter()];
  const { hostname: host, port: own } = new URL(cluster.local.url);
  const common = { host, port: Number(own), path: cluster.path, locations: LOCATIONS };
  const order = (who: keyof typeof LINES, senders: Order['senders'], fraction: number): Order => ({
    ...common, senders, lines: LINES[who], postsPerSecond: peak * fraction,
    firstSecond: nextSecond(),
  });
  try {
    const senders = await goodSenders(cluster.local);
    // As for the peak: a process that has just started compiles more than it works.
    abusive.fire(order('abusive', cluster.senders, TIMES_PEAK));
    await delay(WARM_UP_MS);
    await abusive.cease();
    await untilLevel(cluster);
    good.fire(order('good', senders, GOOD_SHARE));
    await delay(CALM_MS);
    const calm = await good.tally();
    const beganMs = performance.now();
    abusive.fire(order('abusive', cluster.senders, TIMES_PEAK));
    await delay(BESIDE_MS);
    const [bad, beside] = [await abusive.cease(), await good.cease()];
    const whole = (performance.now() - beganMs) / 1_000 * peak;
    const accepted = bad.accepted + beside.accepted - calm.accepted;
    return {
      peakPostsPerSecond: peak,
      triedFraction: (accepted + othersOf(bad) + othersOf(beside)) / whole,
      acceptedFraction: accepted / whole,
      calmP99Ms: quantile(calm.waits, 0.99), besideP99Ms: quantile(beside.waits, 0.99),
      wrong: wrongIn(bad, beside),
    };
  } finally {
    await Promise.all([abusive.close(), good.close()]);
    await cluster.close();
  }
}

/** Devices of a second client, which the limits of the first do not touch. */
async function goodSenders(local: LocalStack): Promise<Order['senders']> {
  const { ports, close } = await openOperator(local.operator, silentSignals);
  try {
    const { provider, country } = local.identity;
    const { value } = await clientCommand(ports, [
      'add', '--name', 'Good', '--provider', provider, '--audience', 'rtt',
      '--scope', 'rtt:devices,rtt:locations',
    ]);
    const added = value as { readonly client_id: string; readonly client_secret: string };
    const identity = {
      clientId: added.client_id, clientSecret: added.client_secret, provider, country,
    };
    return await readySenders({ ...local, identity }, GOOD_DEVICES, 'good');
  } finally {
    await close();
  }
}

function othersOf({ others }: LoadTally): number {
  return Object.values(others).reduce((sum, times) => sum + times, 0);
}

/** A provider within its limits is never refused; one above them gets 429 and nothing else. */
function wrongIn(bad: LoadTally, good: LoadTally): readonly string[] {
  const lines = bad.brokenLines + good.brokenLines;
  return [
    ...Object.entries(good.others).map(([status, n]) => `${n} good posts were answered ${status}`),
    ...Object.entries(bad.others).filter(([status]) => status !== '429')
      .map(([status, n]) => `${n} posts too many were answered ${status}`),
    ...(lines > 0 ? [`${lines} lines broke`] : []),
  ];
}
