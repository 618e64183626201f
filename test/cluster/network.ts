/** Addresses that are there only in the network of the namespaces. */
export const NETWORK = {
  address: '10.250.0.1', pods: '10.251.0.0/16', services: '10.252.0.0/16',
  serviceAddress: '10.252.0.1', namesAddress: '10.252.0.10',
} as const;

/** A node, and where it is. */
export interface NodePlace {
  readonly name: string;
  readonly address: string;
  /** Addresses of its Pods, in the order in which the controllers give them to nodes. */
  readonly pods: string;
  readonly zone: string;
}

/** The node beside the control plane, which is there from the start. */
export const FIRST_NODE: NodePlace = {
  name: 'node-1', address: NETWORK.address, pods: '10.251.0.0/24', zone: 'zone-1',
};

/** The node that an act lets join. */
export const SECOND_NODE: NodePlace = {
  name: 'node-2', address: '10.250.0.2', pods: '10.251.1.0/24', zone: 'zone-2',
};
