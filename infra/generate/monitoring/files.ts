import { yamlFile, type Yaml } from '../yaml.ts';
import { runbookOf, type Alert, type Series } from './alert.ts';
import { alerts } from './alerts.ts';
import { dashboards } from './dashboards.ts';
import { budgetRecordings, recordings } from './recordings.ts';

const FOLDER = 'infra/monitoring/generated';

/** Rules with their tests, and dashboards, by their paths. */
export function monitoringFiles(): Readonly<Record<string, string>> {
  const all = alerts();
  const rules = { groups: groups(all) };
  const allDashboards = dashboards();
  return {
    [`${FOLDER}/rastro.rules.yaml`]: yamlFile([rules]),
    [`${FOLDER}/rastro.test.yaml`]: yamlFile([tests(all)]),
    [`${FOLDER}/prometheus-rule.yaml`]: yamlFile([{
      apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule',
      metadata: { name: 'rastro', labels: { 'app.kubernetes.io/part-of': 'rastro' } },
      spec: rules,
    }]),
    [`${FOLDER}/kustomization.yaml`]: yamlFile([{
      apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization',
      resources: ['prometheus-rule.yaml'],
      configMapGenerator: [{
        name: 'rastro-dashboards', files: allDashboards.map(({ uid }) => `dashboards/${uid}.json`),
      }],
      generatorOptions: { disableNameSuffixHash: true, labels: { grafana_dashboard: '1' } },
    }]),
    ...Object.fromEntries(allDashboards.map((dashboard) => [
      `${FOLDER}/dashboards/${dashboard.uid}.json`, `${JSON.stringify(dashboard, null, 2)}\n`,
    ])),
  };
}

function groups(all: readonly Alert[]): Yaml {
  return [
    { name: 'rastro-recordings', interval: '1m', rules: recordings() },
    { name: 'rastro-budgets', interval: '5m', rules: budgetRecordings() },
    {
      name: 'rastro-alerts',
      rules: all.map((alert) => ({
        alert: alert.name,
        expr: alert.expr,
        for: alert.lasting,
        labels: labelsOf(alert),
        annotations: annotationsOf(alert),
      })),
    },
  ];
}

function labelsOf({ severity, window }: Alert): Record<string, string> {
  return { severity, ...(window === undefined ? {} : { window }) };
}

function annotationsOf(alert: Alert): Record<string, string> {
  return { summary: alert.summary, runbook: runbookOf(alert) };
}

/** For each alarm a time at which it rings and a world in which it does not. */
function tests(all: readonly Alert[]): Yaml {
  return {
    rule_files: ['rastro.rules.yaml'],
    evaluation_interval: '1m',
    tests: all.flatMap((alert) => [
      ...[alert.rings, alert.ringsToo ?? []].flat().map(
        ({ series, at, labels }) => test(`${alert.name} rings`, alert, series, at, [{
          exp_labels: { ...labelsOf(alert), ...labels },
          exp_annotations: annotationsOf(alert),
        }]),
      ),
      silence(alert),
    ]),
  };
}

function test(
  name: string, alert: Alert, series: Series, at: string, expected: readonly Yaml[],
): Yaml {
  return {
    ...testInput(name, series),
    alert_rule_test: [{ eval_time: at, alertname: alert.name, exp_alerts: expected }],
  };
}

/** An alarm of another window may ring in the same world: only the own window must be silent. */
function silence(alert: Alert): Yaml {
  const { name, window, silent, silentAt = alert.rings.at } = alert;
  if (window === undefined) return test(`${name} is silent`, alert, silent, silentAt, []);
  const firing = `ALERTS{alertname="${name}",window="${window}",alertstate="firing"}`;
  return {
    ...testInput(`${name} of ${window} is silent`, silent),
    promql_expr_test: [{
      expr: `count(${firing}) or vector(0)`, eval_time: silentAt,
      exp_samples: [{ labels: '{}', value: 0 }],
    }],
  };
}

function testInput(name: string, series: Series): Readonly<Record<string, Yaml>> {
  return {
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([each, values]) => ({ series: each, values })),
  };
}
