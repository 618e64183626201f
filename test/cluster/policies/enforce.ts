import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlPlane } from '../control-plane.ts';
import type { NodeCluster } from '../product/place.ts';
import { CHAIN, rulesFrom, type NetworkPolicy, type PodPort, type PolicyScope } from './rules.ts';

const COMMAND_MS_MAX = 300_000;
/** Between Pods, and from Pods to the node itself. */
const ENTRIES = ['FORWARD', 'INPUT'] as const;

interface Labelled {
  readonly metadata: {
    readonly name: string; readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

interface GivenPod extends Labelled {
  readonly spec: {
    readonly hostNetwork?: boolean;
    readonly containers: readonly { readonly ports?: readonly PodPort[] }[];
  };
  readonly status: { readonly podIP?: string; readonly phase: string };
}

/** Makes every node enforce the policies of the cluster, for the Pods that are there now. */
export async function enforcePolicies(
  { plane, nodes }: NodeCluster, folder: string,
): Promise<void> {
  const file = join(folder, 'policies.rules');
  writeFileSync(file, rulesFrom(await policyScope(plane)));
  for (const { namespaces } of nodes) {
    await namespaces.run([
      'sh', '-c', 'iptables-restore --noflush < "$0"', file,
    ], COMMAND_MS_MAX);
    for (const entry of ENTRIES) {
      await namespaces.run([
        'sh', '-c', 'iptables -C "$0" -j "$1" 2> /dev/null || iptables -I "$0" -j "$1"', entry, CHAIN,
      ], COMMAND_MS_MAX);
    }
  }
}

/** Lets every packet through again. */
export async function withdrawPolicies({ nodes }: NodeCluster): Promise<void> {
  for (const { namespaces } of nodes) {
    for (const entry of ENTRIES) {
      await namespaces.run([
        'sh', '-c', 'while iptables -D "$0" -j "$1" 2> /dev/null; do :; done', entry, CHAIN,
      ], COMMAND_MS_MAX);
    }
  }
}

/** Pods, policies and namespaces as the API server has them. */
async function policyScope({ kubectl }: ControlPlane): Promise<PolicyScope> {
  const all = async <Item>(kind: string): Promise<readonly Item[]> => (JSON.parse(
    await kubectl(['get', kind, '--all-namespaces', '--output', 'json']),
  ) as { readonly items: readonly Item[] }).items;
  const pods = await all<GivenPod>('pods');
  const namespaces = await all<Labelled>('namespaces');
  return {
    policies: await all<NetworkPolicy>('networkpolicies'),
    namespaces: Object.fromEntries(namespaces.map(({ metadata }) => (
      [metadata.name, metadata.labels ?? {}]))),
    pods: pods.filter(({ spec, status }) => (
      spec.hostNetwork !== true && status.podIP !== undefined
        && status.phase !== 'Succeeded' && status.phase !== 'Failed'))
      .map(({ metadata, spec, status }) => ({
        namespace: metadata.namespace, labels: metadata.labels ?? {},
        address: status.podIP ?? '', ports: spec.containers.flatMap(({ ports = [] }) => ports),
      })),
  };
}
