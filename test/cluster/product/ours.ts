import { GATEWAY_PROGRAMS } from '../../../services/gateways/gateways.ts';
import { WORKER_PROGRAMS } from '../../../services/workers/workers.ts';

/** The Deployments of the product: what a release replaces, and a drain sends elsewhere. */
export const OURS: ReadonlySet<string> = new Set([
  ...GATEWAY_PROGRAMS, 'command-line', ...WORKER_PROGRAMS,
]);

/** Their names for kubectl. */
export const OUR_DEPLOYMENTS: readonly string[] = [...OURS].map((app) => `deployment/${app}`);
