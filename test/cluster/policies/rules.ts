import { blocksWithout } from './blocks.ts';
import { selects, type Selector } from './selectors.ts';

/** A Pod, as far as policies need to know it. */
export interface PolicyPod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly address: string;
  readonly ports: readonly PodPort[];
}

/** A port of a container. */
export interface PodPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol?: string;
}

/** Another side, as a policy names it. */
export interface PolicyPeer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

/** A port that a policy opens. */
export interface PolicyPort {
  readonly protocol?: string;
  readonly port?: string | number;
  readonly endPort?: number;
}

/** A policy of a namespace. */
export interface NetworkPolicy {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly {
      readonly from?: readonly PolicyPeer[]; readonly ports?: readonly PolicyPort[];
    }[];
    readonly egress?: readonly {
      readonly to?: readonly PolicyPeer[]; readonly ports?: readonly PolicyPort[];
    }[];
  };
}

/** What runs in a cluster, and what is allowed. */
export interface PolicyScope {
  readonly pods: readonly PolicyPod[];
  readonly policies: readonly NetworkPolicy[];
  /** Labels of namespaces, by name. */
  readonly namespaces: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The chain that every packet between Pods, and from Pods to a node, goes through. */
export const CHAIN = 'RASTRO-POLICIES';

type Direction = 'in' | 'out';
interface Rule { readonly peers: readonly PolicyPeer[]; readonly ports: readonly PolicyPort[] }
/** The other side of an allowed connection; what is no Pod has no ports with names. */
interface Side { readonly block: string; readonly pod?: PolicyPod }

/**
 * The rules of a node that let through what the policies allow, for `iptables-restore --noflush`.
 * A packet of a new connection passes when both its Pods let it; the node itself is let in, as
 * Kubernetes has it for probes.
 */
export function rulesFrom(scope: PolicyScope): string {
  const chains = scope.pods.flatMap((pod) => (['in', 'out'] as const).flatMap((direction) => {
    const rules = rulesOf(scope, pod, direction);
    return rules === undefined ? [] : [chainOf(scope, pod, direction, rules)];
  }));
  return [
    '*filter', `:${CHAIN} - [0:0]`, ...chains.map(({ name }) => `:${name} - [0:0]`),
    `-A ${CHAIN} -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN`,
    ...chains.map(({ jump }) => jump), ...chains.flatMap(({ lines }) => lines), 'COMMIT', '',
  ].join('\n');
}

/** What a Pod may do in a direction; undefined when no policy isolates it. */
function rulesOf(
  { policies }: PolicyScope, pod: PolicyPod, direction: Direction,
): readonly Rule[] | undefined {
  const type = direction === 'in' ? 'Ingress' : 'Egress';
  const selecting = policies.filter(({ metadata, spec }) => (
    metadata.namespace === pod.namespace && spec.policyTypes.includes(type)
      && selects(spec.podSelector, pod.labels)));
  if (selecting.length === 0) return undefined;
  return selecting.flatMap(({ metadata, spec }) => (direction === 'in'
    ? (spec.ingress ?? []).map(({ from = [], ports = [] }) => ({ peers: from, ports }))
    : (spec.egress ?? []).map(({ to = [], ports = [] }) => ({ peers: to, ports })))
    .map(({ peers, ports }) => ({
      peers: peers.map((peer) => within(peer, metadata.namespace)), ports,
    })));
}

/** A peer without a selector of namespaces is in that of its policy. */
function within(peer: PolicyPeer, namespace: string): PolicyPeer {
  return peer.ipBlock !== undefined || peer.namespaceSelector !== undefined ? peer : {
    ...peer,
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
  };
}

function chainOf(
  scope: PolicyScope, pod: PolicyPod, direction: Direction, rules: readonly Rule[],
): { readonly name: string; readonly jump: string; readonly lines: readonly string[] } {
  const isIn = direction === 'in';
  const name = `RASTRO-${isIn ? 'IN' : 'OUT'}-${pod.address}`;
  const other = isIn ? '-s' : '-d';
  const allowed = rules.flatMap(({ peers, ports }) => (
    sidesOf(scope, peers, ports).flatMap((side) => {
      const target = isIn ? pod : side.pod;
      const matches = ports.length === 0 ? [''] : ports.flatMap((port) => portMatch(port, target));
      return matches.map((match) => `-A ${name} ${other} ${side.block}${match} -j RETURN`);
    })));
  return {
    name, jump: `-A ${CHAIN} ${isIn ? '-d' : '-s'} ${pod.address} -j ${name}`,
    lines: [...new Set(allowed), `-A ${name} -j DROP`],
  };
}

/** No peer means everything; a port with a name is another one at each Pod. */
function sidesOf(
  scope: PolicyScope, peers: readonly PolicyPeer[], ports: readonly PolicyPort[],
): readonly Side[] {
  const podSide = (pod: PolicyPod): Side => ({ block: `${pod.address}/32`, pod });
  if (peers.length === 0) {
    const hasNames = ports.some(({ port }) => typeof port === 'string');
    return [{ block: '0.0.0.0/0' }, ...(hasNames ? scope.pods.map(podSide) : [])];
  }
  return peers.flatMap(({ ipBlock, podSelector = {}, namespaceSelector = {} }): readonly Side[] => {
    if (ipBlock !== undefined) {
      return blocksWithout(ipBlock.cidr, ipBlock.except ?? []).map((block) => ({ block }));
    }
    const isIn = (namespace: string): boolean => (
      selects(namespaceSelector, scope.namespaces[namespace] ?? {}));
    return scope.pods
      .filter(({ namespace, labels }) => isIn(namespace) && selects(podSelector, labels))
      .map(podSide);
  });
}

/** The words that match a port at a target; none when a Pod has no port of that name. */
function portMatch(
  { protocol = 'TCP', port, endPort }: PolicyPort, target: PolicyPod | undefined,
): readonly string[] {
  const words = ` -p ${protocol.toLowerCase()}`;
  if (port === undefined) return [words];
  if (typeof port === 'number') {
    return [`${words} --dport ${port}${endPort === undefined ? '' : `:${endPort}`}`];
  }
  return (target?.ports ?? [])
    .filter((each) => each.name === port && (each.protocol ?? 'TCP') === protocol)
    .map(({ containerPort }) => `${words} --dport ${containerPort}`);
}
