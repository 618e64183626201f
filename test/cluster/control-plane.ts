import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lastOutput } from '../../infra/local/child.ts';
import { waitFor } from '../../infra/local/wait.ts';
import type { Namespaces } from '../containers/machine/namespaces.ts';
import { writeAuthority } from './authority.ts';
import { FIRST_NODE, NETWORK, SECOND_NODE } from './network.ts';
import { partIn, type ClusterPart } from './part.ts';

/** A control plane that runs in namespaces. */
export interface ControlPlane {
  /** The file by which kubectl, or who else reads such a file, is the administrator. */
  readonly config: string;
  /**
   * Runs kubectl as the administrator; gives what it prints, and throws the last of it. A server
   * that is late is asked again.
   */
  readonly kubectl: (args: readonly string[], deadlineMs?: number) => Promise<string>;
  /** All that kubectl prints, also when the API server refuses something. */
  readonly answerOf: (args: readonly string[], deadlineMs: number) => Promise<string>;
  /** Whether the API server answers now. */
  readonly serves: () => Promise<boolean>;
  readonly apiServer: ClusterPart;
}

const READY_MS_MAX = 300_000;
const COMMAND_MS_MAX = 300_000;
/** What a machine makes of a call that has too little of its cores. */
const LATE = new RegExp([
  'TLS handshake timeout', 'client connection lost', 'connection refused', 'i/o timeout',
  'request timed out', 'Client.Timeout exceeded', 'context deadline exceeded',
].join('|'));
const LATE_MS_MAX = 600_000;
const AGAIN_MS = 2_000;
const GONE_SECONDS = '60';
const ETCD = 'http://127.0.0.1:2379';
const ETCD_PEER = 'http://127.0.0.1:2380';

/** Starts etcd and the API server alone, which take resources that nothing acts upon. */
export async function startApiServer(
  namespaces: Namespaces, kubernetes: string, dir: string,
): Promise<ControlPlane> {
  mkdirSync(dir, { recursive: true });
  await writeAuthority(join(dir, 'authority'), NETWORK.serviceAddress, [FIRST_NODE, SECOND_NODE]);
  await namespaces.run(['ip', 'address', 'add', `${NETWORK.address}/32`, 'dev', 'lo'], COMMAND_MS_MAX);
  const plane = attachControlPlane(namespaces, kubernetes, dir);
  partIn(namespaces, dir, 'etcd', etcdWords(dir)).start();
  plane.apiServer.start();
  await answers('The API server', join(dir, 'kube-apiserver'), plane.serves);
  return plane;
}

/** Starts an API server, the controllers and the scheduler, and waits until they answer. */
export async function startControlPlane(
  namespaces: Namespaces, kubernetes: string, dir: string,
): Promise<ControlPlane> {
  const plane = await startApiServer(namespaces, kubernetes, dir);
  const start = (name: string, words: readonly string[]): void => {
    partIn(namespaces, dir, name, [kubernetes, ...words]).start();
  };
  start('kube-controller-manager', managerWords(join(dir, 'authority')));
  start('kube-scheduler', schedulerWords(join(dir, 'authority')));
  await answers('The controllers', join(dir, 'kube-controller-manager'), () => plane.kubectl(
    ['--namespace', 'default', 'get', 'serviceaccount', 'default'],
  ).then(() => true, () => false));
  return plane;
}

function answers(
  what: string, partDir: string, isThere: () => Promise<boolean>,
): Promise<void> {
  return waitFor(isThere, {
    what, deadlineMs: READY_MS_MAX, everyMs: 1_000,
  }).catch((error: unknown) => {
    throw new Error(`${(error as Error).message} ${lastOutput(partDir, 600)}`);
  });
}

/** A control plane that runs already. */
export function attachControlPlane(
  namespaces: Namespaces, kubernetes: string, dir: string,
): ControlPlane {
  const config = join(dir, 'authority', 'admin.conf');
  const words = [kubernetes, 'kubectl', '--kubeconfig', config];
  return {
    config,
    kubectl: (args, deadlineMs = COMMAND_MS_MAX) => untilInTime(
      () => namespaces.run([...words, ...args], deadlineMs)),
    answerOf: (args, deadlineMs) => untilInTime(async () => {
      const said = await namespaces.run(
        ['sh', '-c', '"$@" 2>&1 || true', 'sh', ...words, ...args], deadlineMs,
      );
      if (LATE.test(said)) throw new Error(said);
      return said;
    }).catch((error: unknown) => (error as Error).message),
    serves: () => namespaces.run([...words, 'get', '--raw', '/readyz'], COMMAND_MS_MAX)
      .then(() => true, () => false),
    apiServer: partIn(namespaces, dir, 'kube-apiserver', [
      kubernetes, ...apiServerWords(join(dir, 'authority')),
    ]),
  };
}

/** Asks again as long as the server was late. */
async function untilInTime(ask: () => Promise<string>): Promise<string> {
  const endsAt = Date.now() + LATE_MS_MAX;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!LATE.test((error as Error).message) || Date.now() > endsAt) throw error;
      await delay(AGAIN_MS);
    }
  }
}

function etcdWords(dir: string): readonly string[] {
  return [
    'etcd', '--data-dir', join(dir, 'etcd', 'data'), '--listen-client-urls', ETCD,
    '--advertise-client-urls', ETCD, '--listen-peer-urls', ETCD_PEER,
    '--initial-advertise-peer-urls', ETCD_PEER, '--initial-cluster', `default=${ETCD_PEER}`,
    // What it holds ends with the cluster.
    '--unsafe-no-fsync',
  ];
}

function apiServerWords(authority: string): readonly string[] {
  const file = (name: string): string => join(authority, name);
  return [
    'kube-apiserver', '--etcd-servers', ETCD, '--secure-port', '6443', '--bind-address', '0.0.0.0',
    '--advertise-address', NETWORK.address, '--service-cluster-ip-range', NETWORK.services,
    '--tls-cert-file', file('apiserver.crt'), '--tls-private-key-file', file('apiserver.key'),
    '--client-ca-file', file('ca.crt'),
    '--kubelet-client-certificate', file('admin.crt'), '--kubelet-client-key', file('admin.key'),
    '--kubelet-certificate-authority', file('ca.crt'), '--kubelet-preferred-address-types', 'InternalIP',
    '--service-account-issuer', 'https://kubernetes.default.svc',
    '--service-account-key-file', file('accounts.pub'),
    '--service-account-signing-key-file', file('accounts.key'),
    '--requestheader-client-ca-file', file('ca.crt'), '--requestheader-allowed-names', 'front-proxy',
    '--requestheader-username-headers', 'X-Remote-User',
    '--requestheader-group-headers', 'X-Remote-Group',
    '--requestheader-extra-headers-prefix', 'X-Remote-Extra-',
    '--proxy-client-cert-file', file('front-proxy.crt'),
    '--proxy-client-key-file', file('front-proxy.key'), '--enable-aggregator-routing=true',
    '--authorization-mode', 'Node,RBAC', '--enable-admission-plugins', 'NodeRestriction',
    '--allow-privileged=true', '--profiling=false',
    // Five minutes by default: how long Pods of a node that is gone are waited for.
    '--default-not-ready-toleration-seconds', GONE_SECONDS,
    '--default-unreachable-toleration-seconds', GONE_SECONDS,
  ];
}

function managerWords(authority: string): readonly string[] {
  const config = join(authority, 'manager.conf');
  return [
    'kube-controller-manager', '--kubeconfig', config, '--authentication-kubeconfig', config,
    '--authorization-kubeconfig', config, '--leader-elect=false',
    '--service-account-private-key-file', join(authority, 'accounts.key'),
    '--root-ca-file', join(authority, 'ca.crt'),
    '--cluster-signing-cert-file', join(authority, 'ca.crt'),
    '--cluster-signing-key-file', join(authority, 'ca.key'),
    '--use-service-account-credentials=true', '--allocate-node-cidrs=true',
    '--cluster-cidr', NETWORK.pods,
  ];
}

function schedulerWords(authority: string): readonly string[] {
  const config = join(authority, 'scheduler.conf');
  return [
    'kube-scheduler', '--kubeconfig', config, '--authentication-kubeconfig', config,
    '--authorization-kubeconfig', config, '--leader-elect=false',
  ];
}
