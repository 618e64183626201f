import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GateReport } from '../../scripts/check/gate.ts';
import { isMetricName } from '../../services/kernel/signals/metrics.ts';
import { saying } from './saying.ts';
import type { InfraTools } from './tools.ts';

const FOLDER = 'infra/monitoring/generated/dashboards';
const NAME = /\brastro_[a-z0-9_]+/g;
const ENDINGS = /_(bucket|sum|count)$/;

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly w: number };
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

/** Each dashboard has what Grafana asks for, each query is valid and of metrics that we have. */
export async function checkDashboards(root: string, tools: InfraTools): Promise<GateReport> {
  const files = readdirSync(join(root, FOLDER)).filter((name) => name.endsWith('.json'));
  const dashboards = files.map((name) => [
    name, JSON.parse(readFileSync(join(root, FOLDER, name), 'utf8')) as Dashboard,
  ] as const);
  const queries = dashboards.flatMap(([name, { panels }]) => panels.flatMap((panel) =>
    (panel.targets ?? []).map(({ expr }) => ({ where: `${name} ${panel.title}`, expr }))));
  return {
    seen: queries.length,
    complaints: [
      ...dashboards.flatMap(([name, dashboard]) => formWrongs(name, dashboard)),
      ...queries.flatMap(({ where, expr }) => strangers(expr).map((metric) =>
        `${where} asks for ${metric}, which no process has`)),
      ...await invalid(queries, tools),
    ],
  };
}

function formWrongs(name: string, { uid, title, panels }: Dashboard): readonly string[] {
  const ids = panels.map(({ id }) => id);
  return [
    ...(uid && title ? [] : ['has no uid or title']),
    ...(new Set(ids).size === ids.length ? [] : ['has two panels of one id']),
    ...panels.filter(({ gridPos }) => gridPos.x + gridPos.w > 24)
      .map((panel) => `has ${panel.title} beyond its edge`),
  ].map((wrong) => `${name} ${wrong}`);
}

/** Names of ours that no process has; recorded ones have a colon and are rules, not metrics. */
function strangers(expr: string): readonly string[] {
  const names = expr.match(NAME) ?? [];
  return names.filter((name) => !isMetricName(name) && !isMetricName(name.replace(ENDINGS, '')));
}

/** promtool reads queries as rules do; Grafana's own variables get their values. */
async function invalid(
  queries: readonly { readonly where: string; readonly expr: string }[],
  { promtool }: Pick<InfraTools, 'promtool'>,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rastro-queries-'));
  const file = join(folder, 'queries.yaml');
  const rules = queries.map(({ expr }, index) => ({
    record: `query:${index}`, expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  try {
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboards', rules }] }));
    const output = await saying(promtool, ['check', 'rules', '--lint=none', file]);
    return output.includes('SUCCESS') ? [] : output.split('\n').filter((line) => line.trim() !== '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
