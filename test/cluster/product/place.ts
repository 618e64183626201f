import type { NetworkedNode } from '../node/connect.ts';
import type { ContainerRuntime } from '../node/containerd.ts';
import type { Namespaces } from '../../containers/machine/namespaces.ts';
import type { TableUser } from '../../containers/inside/tables.ts';
import type { ControlPlane } from '../control-plane.ts';
import type { ScalingTools } from '../tools.ts';
import type { DrawnSecrets } from './secrets.ts';
import type { ClusterFront, SenderClient } from './sender.ts';

/** A node that runs Pods. */
export interface PlacedNode extends NetworkedNode {
  readonly runtime: ContainerRuntime;
}

/** A control plane with a node. */
export interface NodeCluster {
  readonly namespaces: Namespaces;
  readonly plane: ControlPlane;
  /** The first one is in the namespaces of the control plane; those that joined follow. */
  readonly nodes: PlacedNode[];
}

/** The product that runs on a node, from outside. */
export interface RunningProduct {
  readonly front: ClusterFront;
  readonly client: SenderClient;
  /** Who reads the tables, and who may also write there. */
  readonly analyst: Required<TableUser>;
  readonly tablesAdmin: Required<TableUser>;
}

/** What the acts of the product share. */
export interface ProductStage {
  readonly runId: string;
  /** A folder of this run. */
  readonly folder: string;
  /** A copy of the manifests, which offences may change. */
  readonly copy: string;
  readonly kustomize: string;
  readonly print: (line: string) => void;
  /** The versions of the product that the node has. */
  readonly tags: { readonly tag: string; readonly next: string };
  /** What an offence does when the drive is over, before its account. */
  readonly spoils: (() => Promise<void>)[];
  /** What an offence makes another. */
  readonly mistakes: Set<ActSlip>;
  /** The secrets that the parts have now. */
  readonly drawn: { secrets?: DrawnSecrets };
  /** What Pods are scaled with; absent in a run without that act. */
  readonly scaling: ScalingTools | undefined;
  /** The cluster; the first time it is started. */
  readonly cluster: () => Promise<NodeCluster>;
  /** The second node of the cluster; the first time it joins. */
  readonly secondNode: () => Promise<PlacedNode>;
  readonly product: () => RunningProduct;
  readonly setProduct: (product: RunningProduct) => void;
  /** Ends the cluster. */
  readonly close: () => Promise<void>;
}

/** Something that an act leaves out or does wrong when it is proved. */
export type ActSlip = 'old-secret-stays' | 'next-is-absent' | 'api-stays' | 'packets-pass'
  | 'disks-have-room' | 'clocks-are-right';
