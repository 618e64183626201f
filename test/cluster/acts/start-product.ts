import { join } from 'node:path';
import { secondsSince, type Act, type ActFinding } from '../../containers/acts/act.ts';
import { GATEWAY_PROGRAMS } from '../../../services/gateways/gateways.ts';
import { PROVIDER_GRANTS } from '../../../infra/local/processes/demo-client.ts';
import { applyObjects, deploy, secretObjects } from '../product/deploy.ts';
import { makeLogAuthority } from '../product/log-authority.ts';
import type { NodeCluster, ProductStage } from '../product/place.ts';
import { drawSecrets, type DrawnSecrets } from '../product/secrets.ts';
import { mountSmallDisks } from '../product/small-disks.ts';
import { startFront, type SenderClient } from '../product/sender.ts';
import { underLoad } from '../product/under-load.ts';
import { volumesIn } from '../product/volumes.ts';
import { misedited } from './offences.ts';

const EXEC_MS_MAX = 300_000;
const NAMESPACE = {
  apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'rastro' },
} as const;

/** The product on the node, wave by wave; then devices drive. */
export const startProduct: Act<ProductStage> = {
  name: 'product',
  does: 'the base of the manifests on it, wave by wave; devices drive, and each item is accounted for',
  run,
  offences: [
    misedited('a Pod asks for a key that its Secret does not have', {
      file: 'infra/kubernetes/base/generated/ingest.yaml', text: 'key: RASTRO_PERSONAL_KEY',
      instead: 'key: RASTRO_ABSENT_KEY',
    }, /CreateContainerConfigError.*RASTRO_ABSENT_KEY/),
  ],
};

async function run(stage: ProductStage): Promise<ActFinding> {
  const beganMs = performance.now();
  const cluster = await stage.cluster();
  const { drawn } = stage;
  // The parts keep what they were made with, also when this act is played twice.
  const secrets = drawn.secrets ?? drawSecrets(
    stage.copy, await makeLogAuthority(join(stage.folder, 'log-authority')),
  );
  drawn.secrets = secrets;
  const folder = join(stage.folder, 'volumes');
  const volumes = volumesIn(folder);
  await mountSmallDisks(cluster.namespaces, folder);
  await applyObjects(cluster.plane, join(stage.folder, 'given.json'), [
    NAMESPACE, ...volumes, ...secretObjects(secrets),
  ]);
  const complaints = await deploy(stage, stage.tags.tag);
  if (complaints.length > 0) return { seen: 'not ready', complaints };
  const ready = secondsSince(beganMs);
  await attach(stage, cluster, secrets);
  return underLoad(stage, {
    name: 'product', touches: () => false, answersAll: true,
    disturb: () => Promise.resolve({ seen: `ready after ${ready}`, complaints: [] }),
  });
}

/** Makes what callers need: addresses, a front, a client. */
async function attach(
  stage: ProductStage, { namespaces, plane }: NodeCluster, drawn: DrawnSecrets,
): Promise<void> {
  const address = async (service: string): Promise<string> => (await plane.kubectl([
    '--namespace', 'rastro', 'get', 'service', service, '--output', 'jsonpath={.spec.clusterIP}',
  ])).trim();
  const services: Record<string, string> = {};
  for (const service of GATEWAY_PROGRAMS) services[service] = await address(service);
  const url = `http://${await address('tables')}:8123`;
  const password = (user: string): string => (
    drawn['rastro-clickhouse']?.[`CLICKHOUSE_${user}_PASSWORD`] ?? '');
  stage.setProduct({
    front: await startFront(namespaces, stage.folder, services),
    client: await addClient({ namespaces, plane }),
    analyst: { url, user: 'analyst', password: password('ANALYST') },
    tablesAdmin: { url, user: 'admin', password: password('ADMIN') },
  });
}

/** A client by the operator's command line, in the Pod that is there for it. */
async function addClient(
  { plane }: Pick<NodeCluster, 'namespaces' | 'plane'>,
): Promise<SenderClient> {
  return JSON.parse(await plane.kubectl([
    '--namespace', 'rastro', 'exec', 'deploy/command-line', '--', 'node', 'services/cli/main.ts',
    'client', 'add', '--json', '--name', 'Sender', '--provider', 'demo',
    '--audience', PROVIDER_GRANTS.audiences.join(','), '--scope', PROVIDER_GRANTS.scopes.join(','),
  ], EXEC_MS_MAX)) as SenderClient;
}
