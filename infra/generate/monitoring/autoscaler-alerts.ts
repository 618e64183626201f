import { autoscaler } from '../autoscaling.ts';
import { gatewayProcesses, replicaProcess, workerProcesses } from '../processes.ts';
import type { Alert } from './alert.ts';

/** Deployments that an autoscaler is to own, where KEDA is. */
export const SCALED = [...gatewayProcesses(), ...workerProcesses(), replicaProcess()]
  .filter((process) => autoscaler(process) !== undefined).map(({ name }) => name);

const NAME = 'table-writer';
const HPA = 'horizontalpodautoscaler';
const METRICS = 'kube_horizontalpodautoscaler';
/** As KEDA names what it makes of a ScaledObject. */
const OURS = `namespace="rastro", ${HPA}=~"keda-hpa-(${SCALED.join('|')})"`;
const DEPLOYMENT = 'kube_deployment_spec_replicas';

/**
 * Alarms about autoscalers, by what kube-state-metrics says; without it they are silent. A missing
 * one rings nowhere else: its worker stays at one Pod and is late one day.
 */
export function autoscalerAlerts(): readonly Alert[] {
  return [missing(), atMost()];
}

function missing(): Alert {
  const deployments = `${DEPLOYMENT}{namespace="rastro", deployment=~"${SCALED.join('|')}"}`;
  const most = byDeployment(`max by (${HPA}) (${METRICS}_spec_max_replicas{${OURS}})`);
  const active = `${METRICS}_status_condition{${OURS}, condition="ScalingActive", status="true"}`;
  const series = {
    deployment: `${DEPLOYMENT}{namespace="rastro",deployment="${NAME}"}`,
    most: `${METRICS}_spec_max_replicas{namespace="rastro",${HPA}="keda-hpa-${NAME}"}`,
    active: `${METRICS}_status_condition{namespace="rastro",${HPA}="keda-hpa-${NAME}"`
      + ',condition="ScalingActive",status="true"}',
  };
  return {
    name: 'RastroAutoscalerMissing', severity: 'ticket', lasting: '15m',
    expr: `max by (deployment) (${deployments}) unless on (deployment) ${most}`
      + ` or ${byDeployment(`max by (${HPA}) (${active})`)} == 0`,
    summary: 'A kind of process has no autoscaler that works: it stays as large as it is.',
    rings: { series: { [series.deployment]: '1x30' }, at: '20m', labels: { deployment: NAME } },
    ringsToo: {
      series: { [series.deployment]: '2x30', [series.most]: '12x30', [series.active]: '0x30' },
      at: '20m', labels: { deployment: NAME },
    },
    silent: { [series.deployment]: '2x30', [series.most]: '12x30', [series.active]: '1x30' },
  };
}

function atMost(): Alert {
  const now = `max by (${HPA}) (${METRICS}_status_current_replicas{${OURS}})`;
  const most = `max by (${HPA}) (${METRICS}_spec_max_replicas{${OURS}})`;
  const labels = `{namespace="rastro",${HPA}="keda-hpa-${NAME}"}`;
  return {
    name: 'RastroAutoscalerAtMost', severity: 'ticket', lasting: '30m',
    expr: byDeployment(`(${now} >= on (${HPA}) ${most})`),
    summary: 'A kind of process has as many Pods as it may have: more work will make it late.',
    rings: {
      series: {
        [`${METRICS}_status_current_replicas${labels}`]: '12x60',
        [`${METRICS}_spec_max_replicas${labels}`]: '12x60',
      },
      at: '40m', labels: { deployment: NAME },
    },
    silent: {
      [`${METRICS}_status_current_replicas${labels}`]: '11x60',
      [`${METRICS}_spec_max_replicas${labels}`]: '12x60',
    },
  };
}

/** With the name of the Deployment in place of that of its autoscaler. */
function byDeployment(expr: string): string {
  const named = `label_replace(${expr}, "deployment", "$1", "${HPA}", "keda-hpa-(.+)")`;
  return `max by (deployment) (${named})`;
}
