import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NETWORK } from '../control-plane.ts';

/** What the settings of a node depend on. */
export interface NodeGiven {
  /** A folder of this run. */
  readonly folder: string;
  /** The folder of the authority and of the certificates that it signed. */
  readonly authority: string;
  /** Where containerd listens. */
  readonly socket: string;
  /** The control group of all Pods. */
  readonly group: string;
}

/** The name of the only node. */
export const NODE_NAME = 'node-1';

/** A bridge for the Pods; the node is its gateway, and nothing leads out of the namespaces. */
export function writeNetwork(folder: string): void {
  writeFileSync(join(folder, 'network', '10-pods.conflist'), JSON.stringify({
    cniVersion: '0.4.0', name: 'pods',
    plugins: [
      {
        type: 'bridge', bridge: 'pods0', isGateway: true, ipMasq: false, hairpinMode: true,
        ipam: {
          type: 'host-local', ranges: [[{ subnet: NETWORK.nodePods }]],
          routes: [{ dst: '0.0.0.0/0' }], dataDir: join(folder, 'addresses'),
        },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  }));
}

/** Settings of the kubelet, as a file; gives its flags. */
export function kubeletWords(
  { folder, authority, socket, group }: NodeGiven,
): readonly string[] {
  const names = join(folder, 'resolv.conf');
  writeFileSync(names, `nameserver ${NETWORK.namesAddress}\n`);
  const settings = write(folder, 'kubelet.json', {
    apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration',
    authentication: {
      x509: { clientCAFile: join(authority, 'ca.crt') }, anonymous: { enabled: false },
      webhook: { enabled: false },
    },
    authorization: { mode: 'AlwaysAllow' },
    tlsCertFile: join(authority, 'kubelet.crt'), tlsPrivateKeyFile: join(authority, 'kubelet.key'),
    containerRuntimeEndpoint: `unix://${socket}`,
    cgroupDriver: 'cgroupfs', cgroupRoot: `/${group}`, failCgroupV1: false,
    failSwapOn: false, oomScoreAdj: 0, makeIPTablesUtilChains: true,
    clusterDNS: [NETWORK.namesAddress], clusterDomain: 'cluster.local', resolvConf: names,
    imageGCHighThresholdPercent: 100, imageGCLowThresholdPercent: 99,
    // The disk is the machine's, and may be as full as it is.
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    podLogsDir: join(folder, 'pod-logs'),
  });
  return [
    'kubelet', '--config', settings, '--kubeconfig', join(authority, 'kubelet.conf'),
    '--root-dir', join(folder, 'kubelet-root'), '--cert-dir', authority,
    '--hostname-override', NODE_NAME, '--node-ip', NETWORK.address,
    '--volume-plugin-dir', join(folder, 'plugins'),
    '--node-labels', 'topology.kubernetes.io/zone=zone-1',
  ];
}

/** Settings of the proxy of Services, as a file; gives its flags. */
export function proxyWords(
  { folder, authority }: Pick<NodeGiven, 'folder' | 'authority'>,
): readonly string[] {
  return ['kube-proxy', '--config', write(folder, 'kube-proxy.json', {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration',
    mode: 'iptables', clientConnection: { kubeconfig: join(authority, 'proxy.conf') },
    clusterCIDR: NETWORK.pods, hostnameOverride: NODE_NAME,
    // Limits of the machine, which stay as they are.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  })];
}

function write(folder: string, name: string, settings: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(settings));
  return file;
}
