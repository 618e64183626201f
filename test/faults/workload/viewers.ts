import { clientCommand } from '../../../services/cli/client/command.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import { basic, callAt } from '../../support/platform-calls.ts';
import { valueOf } from '../../support/report-value.ts';
import type { TestCluster } from '../cluster/cluster.ts';
import type { Dice } from '../dice.ts';
import type { ViewerRecord, ViewLine } from '../run-files.ts';
import type { LineWriter } from './history-writer.ts';
import type { Residents } from './residents.ts';
import { startViewer, type LiveViewer, type ViewerWishes } from './viewer.ts';

/** The viewers of the live feeds of a cluster. */
export interface ResidentViewers {
  readonly records: readonly ViewerRecord[];
  close(): Promise<void>;
}

type Credentials = Pick<Residents['platform'], 'client_id' | 'client_secret'>;

const KNOWN_MS_MAX = 60_000;
const POLL_MS = 200;
const HOLDS_MS_MIN = 500;
const HOLDS_MS_MAX = 4_000;

const FEEDS = {
  platform: { fixes: '/platform/live/positions', facts: '/platform/live/facts' },
  provider: {
    fixes: '/shipping/rtt/live/positions?country_id=BR',
    facts: '/shipping/rtt/live/facts?country_id=BR',
  },
} as const;

/**
 * Lets a platform and a provider follow positions and facts at one live gateway, and the platform
 * again by lines that it leaves after moments, to go on at the other copy.
 */
export async function openViewers(
  cluster: TestCluster, { providers }: Residents, record: LineWriter<ViewLine>, dice: Dice,
): Promise<ResidentViewers> {
  const { operator, gateways: [gateway] } = cluster;
  const [provider] = providers;
  if (gateway === undefined || provider === undefined) throw new Error('No client can follow.');
  const copies = (['gateway-live', 'gateway-live-2'] as const)
    .map((name) => ({ name, url: cluster.urlOf(name) }));
  const platform = valueOf(await clientCommand(operator, [
    'add', '--name', 'Viewer', '--audience', 'platform', '--scope', 'platform:read',
  ])) as Credentials;
  valueOf(await clientCommand(operator, [
    'set', provider.client_id,
    '--scope', 'rtt:devices,rtt:locations,rtt:events,rtt:commands,query:read',
  ]));
  const stays = { copies: copies.slice(0, 1) };
  const roams = (name: string): Pick<ViewerWishes, 'copies' | 'holdsMs'> => {
    const own = dice.fork(name);
    return { copies, holdsMs: () => own.between(HOLDS_MS_MIN, HOLDS_MS_MAX) };
  };
  const own = { client_id: provider.client_id, provider: provider.provider };
  const tokens = {
    platform: await tokenOf(gateway.url, platform, 'platform'),
    provider: await tokenOf(gateway.url, provider, 'rtt'),
  };
  const of = (
    feed: ViewerRecord['feed'], who: keyof typeof FEEDS,
  ): Pick<ViewerWishes, 'feed' | 'path' | 'token' | 'owner'> => ({
    feed, path: FEEDS[who][feed], token: tokens[who], owner: who === 'provider' ? own : null,
  });
  const wishes: readonly ViewerWishes[] = [
    { name: 'map', ...of('fixes', 'platform'), ...stays },
    { name: 'restless-map', ...of('fixes', 'platform'), ...roams('restless-map') },
    { name: 'own-map', ...of('fixes', 'provider'), ...stays },
    { name: 'facts', ...of('facts', 'platform'), ...stays },
    { name: 'restless-facts', ...of('facts', 'platform'), ...roams('restless-facts') },
    { name: 'own-facts', ...of('facts', 'provider'), ...stays },
  ];
  for (const wish of wishes) await untilOpen(wish);
  const viewers: readonly LiveViewer[] = wishes.map((wish) => startViewer(wish, record));
  return {
    records: wishes.map(({ name, feed, owner }) => ({ name, feed, owner })),
    close: async () => { await Promise.all(viewers.map((viewer) => viewer.close())); },
  };
}

/** What the operator did comes to the gateways by the log. */
async function tokenOf(url: string, client: Credentials, audience: string): Promise<string> {
  let token: unknown;
  await waitFor(async () => {
    const { body } = await callAt(url, '/oauth/token', {
      body: { audience, grant_type: 'client_credentials' },
      headers: { authorization: basic(client.client_id, client.client_secret) },
    });
    token = body['access_token'];
    return typeof token === 'string';
  }, { what: 'The token of a viewer', deadlineMs: KNOWN_MS_MAX, everyMs: POLL_MS });
  return String(token);
}

/** A viewer begins where its rights are known, so that a refusal in the run is never right. */
async function untilOpen({ name, copies, path, token }: ViewerWishes): Promise<void> {
  for (const { url } of copies) {
    await waitFor(async () => {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      await answer.body?.cancel();
      return answer.ok;
    }, { what: `The feed of ${name}`, deadlineMs: KNOWN_MS_MAX, everyMs: POLL_MS });
  }
}
