import { autoscaler } from './autoscaling.ts';
import { monitoringFiles } from './monitoring/files.ts';
import { profileFiles } from './profiles/files.ts';
import { gatewayProcesses, workerProcesses } from './processes.ts';
import { redisUserFiles, redisUserSecret } from './redis-users.ts';
import { replicaFiles } from './replica.ts';
import { httpRoutes } from './routes.ts';
import { kafkaTopics, kafkaUsers, registryInLog } from './strimzi.ts';
import { workload } from './workload.ts';
import { yamlFile, type Yaml } from './yaml.ts';

const KUBERNETES = 'infra/kubernetes';

/** Every generated file below `infra/` by its path, as it must be. */
export function infraFiles(): Readonly<Record<string, string>> {
  const processes = [...gatewayProcesses(), ...workerProcesses()];
  const scalers = new Map(processes.map((process) => [process, autoscaler(process)] as const));
  const scaled = [...scalers.values()].filter((each) => each !== undefined);
  return {
    ...monitoringFiles(),
    ...redisUserFiles(),
    ...profileFiles(),
    ...kustomization(`${KUBERNETES}/base/generated`, Object.fromEntries(
      [...scalers].map(([process, scaler]) =>
        [`${process.name}.yaml`, workload(process, scaler !== undefined)]),
    )),
    ...kustomization(`${KUBERNETES}/components/clickhouse-replica/generated`, replicaFiles()),
    ...kustomization(`${KUBERNETES}/components/keda/generated`, {
      'scaled-objects.yaml': scaled,
    }),
    ...kustomization(`${KUBERNETES}/components/strimzi/generated`, {
      'topics.yaml': kafkaTopics(), 'users.yaml': kafkaUsers(),
    }),
    ...kustomization(`${KUBERNETES}/components/registry/generated`, {
      'log.yaml': registryInLog(),
    }),
    ...kustomization(`${KUBERNETES}/components/external-secrets/generated`, {
      'redis-users.yaml': redisUserSecret(),
    }),
    ...kustomization(`${KUBERNETES}/components/gateway-api/generated`, {
      'routes.yaml': httpRoutes(),
    }),
  };
}

/** A folder of manifests with the list of them that Kustomize wants. */
function kustomization(
  folder: string, documents: Readonly<Record<string, readonly Yaml[]>>,
): Readonly<Record<string, string>> {
  const list = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization',
    resources: Object.keys(documents),
  };
  const files = Object.entries(documents)
    .map(([name, each]) => [`${folder}/${name}`, yamlFile(each)] as const);
  return Object.fromEntries([[`${folder}/kustomization.yaml`, yamlFile([list])], ...files]);
}
