import type { ClusterOptions } from '../cluster/cluster-options.ts';
import { PROCESS_NAMES } from '../cluster/cluster-processes.ts';

/** A cluster with a live gateway and viewers. */
export const LIVE_CLUSTER: ClusterOptions = {
  processes: [...PROCESS_NAMES, 'gateway-live'], hasViewers: true,
};
