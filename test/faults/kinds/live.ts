import type { ClusterOptions } from '../cluster/cluster-options.ts';
import { PROCESS_NAMES } from '../cluster/cluster-processes.ts';

/** A cluster with two live gateways, the second of which nothing is done to, and viewers. */
export const LIVE_CLUSTER: ClusterOptions = {
  processes: [...PROCESS_NAMES, 'gateway-live', 'gateway-live-2'], hasViewers: true,
};
