import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NETWORK, type NodePlace } from '../network.ts';

/** What the settings of a node depend on. */
export interface NodeGiven {
  readonly place: NodePlace;
  /** A folder of this run. */
  readonly folder: string;
  /** The folder of the authority and of the certificates that it signed. */
  readonly authority: string;
  /** Where containerd listens. */
  readonly socket: string;
  /** The control group of all Pods. */
  readonly group: string;
}

/** A bridge for the Pods; the node is its gateway, and nothing leads out of the namespaces. */
export function writeNetwork({ folder, place }: Pick<NodeGiven, 'folder' | 'place'>): void {
  writeFileSync(join(folder, 'network', '10-pods.conflist'), JSON.stringify({
    cniVersion: '0.4.0', name: 'pods',
    plugins: [
      {
        type: 'bridge', bridge: 'pods0', isGateway: true, ipMasq: false, hairpinMode: true,
        ipam: {
          type: 'host-local', ranges: [[{ subnet: place.pods }]],
          routes: [{ dst: '0.0.0.0/0' }], dataDir: join(folder, 'addresses'),
        },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  }));
}

/** Settings of the kubelet, as a file; gives its flags. */
export function kubeletWords(
  { place, folder, authority, socket, group }: NodeGiven,
): readonly string[] {
  const file = (name: string): string => join(authority, name);
  const names = join(folder, 'resolv.conf');
  writeFileSync(names, `nameserver ${NETWORK.namesAddress}\n`);
  const settings = write(folder, 'kubelet.json', {
    apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration',
    authentication: {
      x509: { clientCAFile: file('ca.crt') }, anonymous: { enabled: false },
      webhook: { enabled: false },
    },
    authorization: { mode: 'AlwaysAllow' },
    tlsCertFile: file(`${place.name}.crt`), tlsPrivateKeyFile: file(`${place.name}.key`),
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
    'kubelet', '--config', settings, '--kubeconfig', file(`${place.name}.conf`),
    '--root-dir', join(folder, 'kubelet-root'), '--cert-dir', authority,
    '--hostname-override', place.name, '--node-ip', place.address,
    '--volume-plugin-dir', join(folder, 'plugins'),
    '--node-labels', `topology.kubernetes.io/zone=${place.zone}`,
  ];
}

/** Settings of the proxy of Services, as a file; gives its flags. */
export function proxyWords(
  { place, folder, authority }: Pick<NodeGiven, 'place' | 'folder' | 'authority'>,
): readonly string[] {
  return ['kube-proxy', '--config', write(folder, 'kube-proxy.json', {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration',
    mode: 'iptables', clientConnection: { kubeconfig: join(authority, 'proxy.conf') },
    clusterCIDR: NETWORK.pods, hostnameOverride: place.name,
    // Limits of the machine, which stay as they are.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  })];
}

function write(folder: string, name: string, settings: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(settings));
  return file;
}
