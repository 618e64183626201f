import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { REDIS_DEFAULTS } from '../../../services/adapters/redis/config.ts';
import { clientCommand } from '../../../services/cli/client/command.ts';
import { checkRun } from '../../faults/checker/check-run.ts';
import type { CheckReport } from '../../faults/checker/report.ts';
import type { ClusterOptions } from '../../faults/cluster/cluster-options.ts';
import { PROCESS_NAMES, type ProcessName } from '../../faults/cluster/cluster-processes.ts';
import { createDice } from '../../faults/dice.ts';
import { waitForQuiet, QUIET_MS_MAX } from '../../faults/run/heal.ts';
import { openTenancy } from '../../faults/run/tenancy.ts';
import { RUN_FILES, type RunRecord } from '../../faults/run-files.ts';
import { nowNs } from '../../faults/workload/history-writer.ts';
import { startWorkload } from '../../faults/workload/workload.ts';
import type { OffenderEnv } from '../offender.ts';
import { startBadParty, type BadParty } from './bad-party.ts';
import { moveGuestIn, type MovedIn } from './guest.ts';
import { countDisputed, startAnalyst, type HonestAnalyst } from './honest-analyst.ts';
import { startViewer, type HonestViewer } from './honest-viewer.ts';
import { startWebhookOwner, type HonestWebhook } from './honest-webhook.ts';
import { watch, type CallWatch } from './call-watch.ts';

/** A cluster in which honest callers work all the time, and a guest lives. */
export interface HostileCluster extends MovedIn {
  readonly party: BadParty;
  readonly analyst: HonestAnalyst;
  readonly viewer: HonestViewer;
  readonly webhook: HonestWebhook;
  readonly watch: CallWatch;
  /** What every offender is given. */
  readonly offenderEnv: Omit<OffenderEnv, 'signal' | 'count'>;
  /**
   * Lets the honest callers end, and checks all that they ever did; also how many notifications of
   * the honest carrier were taken for those of another.
   */
  check(): Promise<{ readonly report: CheckReport; readonly disputed: number }>;
  close(): Promise<void>;
}

/** The usual processes, one with the live feeds, and one that posts to webhooks. */
export const HOSTILE_PROCESSES: readonly ProcessName[] = [
  ...PROCESS_NAMES, 'gateway-live', 'webhooks',
];

/** How a hostile cluster differs from another. */
export interface HostileClusterOptions {
  readonly seed: number;
  /** Calls of the honest, in percent of the usual ones. */
  readonly pace: number;
  readonly changed?: ClusterOptions['changed'];
}

/** Ten honest providers with the usual two. */
const MORE_PROVIDERS = ['p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9', 'p10'];
const CALLS_PER_SECOND = 60;
const PAUSE_MS_MAX = 500;

/** The limits of production, but for tokens: the honest ask for some and end some all the time. */
const LIMITS: Readonly<Record<string, string>> = {
  RASTRO_REQUESTS_PER_SECOND: String(REDIS_DEFAULTS.requestsPerSecond),
  RASTRO_REQUESTS_BURST: String(REDIS_DEFAULTS.requestsBurst),
  RASTRO_NOTIFICATIONS_PER_SECOND: String(REDIS_DEFAULTS.notificationsPerSecond),
  RASTRO_NOTIFICATIONS_BURST: String(REDIS_DEFAULTS.notificationsBurst),
  RASTRO_BYTES_PER_SECOND: String(REDIS_DEFAULTS.bytesPerSecond),
  RASTRO_BYTES_BURST: String(REDIS_DEFAULTS.bytesBurst),
  RASTRO_DEVICE_REQUESTS_PER_SECOND: String(REDIS_DEFAULTS.deviceRequestsPerSecond),
  RASTRO_DEVICE_REQUESTS_BURST: String(REDIS_DEFAULTS.deviceRequestsBurst),
  // So few that also on a slow machine an offender tries more, and that the honest do all the time.
  RASTRO_BAD_TOKENS_PER_MINUTE: '3',
  RASTRO_BAD_TOKENS_BURST: '5',
  RASTRO_TOKEN_REQUESTS_PER_MINUTE: '600',
  RASTRO_TOKEN_REQUESTS_BURST: '600',
};

/** Opens the cluster in an empty directory, with all honest callers at work. */
export async function openHostileCluster(
  dir: string, { seed, pace, changed }: HostileClusterOptions,
): Promise<HostileCluster> {
  const epoch = { t_ns: nowNs(), at_ms: Date.now() };
  const tenancy = await openTenancy(dir, seed, {
    processes: HOSTILE_PROCESSES, isDirect: true, gatewaySettings: LIMITS,
    moreProviders: MORE_PROVIDERS, ...(changed === undefined ? {} : { changed }),
  });
  const { cluster, residents } = tenancy;
  const party = await startBadParty();
  const closing = async (): Promise<void> => {
    await party.close();
    await tenancy.close();
  };
  try {
    const prefix = `hostile${seed}`;
    const honestNumbers = `T-${prefix}-`;
    await clientCommand(cluster.operator, [
      'set', residents.carrier.client_id, '--tracking-numbers', honestNumbers,
    ]);
    const moved = await moveGuestIn(cluster, party.url);
    const { CLICKHOUSE_URL: url, ANALYST_USER: user, ANALYST_PASSWORD: password } = cluster.env;
    const tables = { url, user, password, database: cluster.addresses.clickhouse_database };
    const watching = watch(cluster, tenancy.history);
    const analyst = startAnalyst(tables, moved.guest.provider);
    const viewer = await startViewer(cluster);
    const webhook = await startWebhookOwner(cluster);
    const workload = startWorkload({
      cluster, residents, history: watching.history, dice: createDice(`hostile/${seed}`),
      personalName: tenancy.personalName, prefix, isBalanced: false,
      load: {
        pauseMsMax: PAUSE_MS_MAX * 100 / pace, callsPerSecond: CALLS_PER_SECOND * pace / 100,
      },
    });
    tenancy.listen(workload);
    const { guest } = moved;
    return {
      ...moved, party, analyst, viewer, webhook, watch: watching,
      offenderEnv: {
        gateways: cluster.gateways.map((gateway) => gateway.url), live: cluster.urlOf('gateway-live'),
        guest, tables, honestNumbers,
      },
      async check() {
        const [healedMs, healed_ns] = [performance.now(), nowNs()];
        workload.stop();
        const [isLate] = await Promise.all([workload.ended(QUIET_MS_MAX), webhook.finish()]);
        const quiet_ns = nowNs();
        const quiet = await waitForQuiet(cluster, healedMs);
        tenancy.listen(undefined);
        const record: RunRecord = {
          scenario: 'hostile', seed, epoch, healed_ns, quiet_ns, ...quiet,
          ...(isLate ? { quiet_after_ms: null } : {}),
          stack: cluster.addresses, processes: await tenancy.writeDown(),
          canaries: tenancy.canaries, aims: [], allows: [],
          guests: [
            guest.provider, guest.carrier.clientId, guest.platform.clientId, webhook.clientId,
            ...guest.clients.map(({ clientId }) => clientId),
          ],
        };
        writeFileSync(join(dir, RUN_FILES.record), JSON.stringify(record, null, 2));
        const disputed = await countDisputed(tables, residents.carrier.client_id);
        return { report: await checkRun(dir, { wipe: false }), disputed };
      },
      async close() {
        watching.close();
        await Promise.all([analyst.close(), viewer.close(), webhook.close()]);
        workload.stop();
        await workload.ended(0);
        await closing();
      },
    };
  } catch (error) {
    await closing();
    throw error;
  }
}
