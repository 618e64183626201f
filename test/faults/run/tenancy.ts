import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDice } from '../dice.ts';
import type { HistoryLine } from '../history.ts';
import { openTestCluster, type TestCluster } from '../cluster/cluster.ts';
import type { ClusterOptions } from '../cluster/cluster-options.ts';
import {
  RUN_FILES, type FaultLine, type ProcessRecord, type ProviderRequest, type Sample,
  type ViewLine, type WebhookPost,
} from '../run-files.ts';
import { startCalledParty, type CalledParty } from '../workload/called-party.ts';
import { openLines, type LineWriter } from '../workload/history-writer.ts';
import { moveIn, PROVIDERS, type Residents } from '../workload/residents.ts';
import { openViewers, type ResidentViewers } from '../workload/viewers.ts';
import { openWebhooks, type ResidentWebhooks } from '../workload/webhooks.ts';
import type { Workload } from '../workload/workload.ts';
import { startSampler } from './sampler.ts';

/**
 * A cluster with clients in it and one history of all its runs: what the log holds is of all of
 * them, so only all of them together can be checked.
 */
export interface Tenancy {
  readonly dir: string;
  readonly cluster: TestCluster;
  readonly residents: Residents;
  readonly parties: readonly CalledParty[];
  /** Of a cluster that has them. */
  readonly webhooks: ResidentWebhooks | undefined;
  /** Of a cluster that has them. */
  readonly viewers: ResidentViewers | undefined;
  readonly history: LineWriter<HistoryLine>;
  readonly faults: LineWriter<FaultLine>;
  /** Texts that must be in no log. */
  readonly canaries: string[];
  readonly personalName: string;
  /** Who hears that a provider was asked for summarized events. */
  listen(workload: Pick<Workload, 'asked'> | undefined): void;
  /** Everything is in the files, and the last metrics of every process. */
  writeDown(): Promise<readonly ProcessRecord[]>;
  close(): Promise<void>;
}

const METRICS_MS_MAX = 5_000;

/** Builds a cluster and lets the clients move in. */
export async function openTenancy(
  dir: string, seed: number, wishes: ClusterOptions = {},
): Promise<Tenancy> {
  const cluster = await openTestCluster(dir, wishes);
  const history = openLines<HistoryLine>(join(dir, RUN_FILES.history));
  const faults = openLines<FaultLine>(join(dir, RUN_FILES.faults));
  const record = openLines<ProviderRequest>(join(dir, RUN_FILES.provider));
  const samples = openLines<Sample>(join(dir, RUN_FILES.samples));
  const posts = openLines<WebhookPost>(join(dir, RUN_FILES.webhooks));
  const views = openLines<ViewLine>(join(dir, RUN_FILES.views));
  const lines = [history, faults, record, samples, posts, views];
  let parties: readonly CalledParty[] = [];
  let webhooks: ResidentWebhooks | undefined;
  let viewers: ResidentViewers | undefined;
  let endSampling = (): void => undefined;
  const close = async (): Promise<void> => {
    endSampling();
    await Promise.all([
      ...parties.map((party) => party.close()), webhooks?.close(), viewers?.close(),
    ]);
    await cluster.close();
    await Promise.all(lines.map((each) => each.close()));
  };
  try {
    let listener: Pick<Workload, 'asked'> | undefined;
    parties = await Promise.all(PROVIDERS.map((provider) => startCalledParty(provider, {
      record, dice: createDice(`${seed}/party/${provider}`),
      asked: (requestId, transportId) => listener?.asked(provider, requestId, transportId),
    })));
    const urlOf = (provider: string): string =>
      parties[PROVIDERS.findIndex((name) => name === provider)]?.url ?? '';
    const residents = await moveIn(cluster, urlOf, wishes.moreProviders);
    if (wishes.hasWebhooks === true) {
      webhooks = await openWebhooks(cluster, residents, posts, createDice(`${seed}/webhooks`));
    }
    if (wishes.hasViewers === true) {
      viewers = await openViewers(cluster, residents, views, createDice(`${seed}/viewers`));
    }
    endSampling = startSampler(cluster, samples);
    const personalName = `Canary Person ${seed}`;
    const { providers, carrier, stranger, platform, reader } = residents;
    return {
      dir, cluster, residents, parties, webhooks, viewers, history, faults, personalName, close,
      canaries: [
        personalName, cluster.secrets.secretPepper, cluster.secrets.vaultKey,
        cluster.secrets.partyToken,
        ...[...providers, carrier, stranger, platform, reader]
          .map(({ client_secret }) => client_secret),
      ],
      listen: (workload) => { listener = workload; },
      async writeDown() {
        await Promise.all(lines.map((each) => each.flushed()));
        return writeMetrics(dir, cluster);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function writeMetrics(dir: string, cluster: TestCluster): Promise<readonly ProcessRecord[]> {
  mkdirSync(join(dir, RUN_FILES.metrics), { recursive: true });
  const processes = [...cluster.processes.values()];
  return Promise.all(processes.map(async ({ name, kind, adminUrl, lives }) => {
    const metrics_url = `${adminUrl}/metrics`;
    const text = await fetch(metrics_url, { signal: AbortSignal.timeout(METRICS_MS_MAX) })
      .then((answer) => answer.text())
      // A process that is down has no metrics; that it is down is checked elsewhere.
      .catch(() => '');
    writeFileSync(join(dir, RUN_FILES.metrics, `${name}.txt`), text);
    return {
      name, kind: kind === 'gateways' ? 'gateway' : 'worker', metrics_url, lives: lives(),
    };
  }));
}
