import { GATEWAY_PROGRAMS } from '../../../services/gateways/gateways.ts';
import { WORKER_PROGRAMS } from '../../../services/workers/workers.ts';
import { replicaProcess } from '../processes.ts';
import type { Alert } from './alert.ts';

/**
 * Names of all our processes, with the writers of a further replica, and of the ones that are all
 * of a kind in one (compose).
 */
export const OUR_JOBS = [
  ...GATEWAY_PROGRAMS, ...WORKER_PROGRAMS, replicaProcess().name, 'gateways', 'workers',
].join('|');

const NAME = 'table-writer';
const SILENT_POD = `up{job="${NAME}",pod="b"}`;

/**
 * Of one kind of process none answers. Pods that are gone altogether have no `up` at all, so what
 * was there within the last hour counts as missing too; what was scaled away on purpose rings once.
 */
export function missingAlert(): Alert {
  const ours = `up{job=~"${OUR_JOBS}"}`;
  return {
    name: 'RastroProcessMissing', severity: 'page', lasting: '5m',
    expr: `max by (job) (${ours}) == 0`
      + ` or max by (job) (max_over_time(${ours}[1h])) unless max by (job) (${ours})`,
    summary: 'Of one kind of process none answers.',
    rings: { series: { [`up{job="${NAME}"}`]: '0x10' }, at: '8m', labels: { job: NAME } },
    ringsToo: { series: { [`up{job="${NAME}"}`]: '1x5 _x30' }, at: '25m', labels: { job: NAME } },
    silent: { [`up{job="${NAME}",pod="a"}`]: '1x3 _x30', [SILENT_POD]: '1x30' },
    silentAt: '25m',
  };
}
