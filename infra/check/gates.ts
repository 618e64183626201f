import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../local/command.ts';
import type { Gate, GateReport } from '../../scripts/check/gate.ts';
import { checkAutoscalers } from './autoscalers.ts';
import { checkCompose } from './compose.ts';
import { checkConsoleProxy } from './console-proxy.ts';
import { checkDashboards } from './dashboards.ts';
import { checkOperator } from './operator.ts';
import { checkPackages } from './packages.ts';
import { RENDERINGS } from './rendered.ts';
import { renderedText } from './resources.ts';
import { saying } from './saying.ts';
import { checkSecondDeploy } from './second-deploy.ts';
import { checkSettings } from './settings.ts';
import type { InfraTools } from './tools.ts';
import { checkValues } from './values.ts';
import { checkWaves } from './waves.ts';

/** The tests of the rules go through hours of metrics: half a minute of one core. */
const RULES_MS_MAX = 900_000;
const MONITORING = 'infra/monitoring';

/**
 * What kube-score is not asked. Images have tags that never move, so that they need not be pulled
 * again; a limit of CPU only throttles; and Pods are spread by constraints, not by affinity.
 */
const UNASKED = [
  'container-image-pull-policy', 'deployment-has-host-podantiaffinity',
  'statefulset-has-host-podantiaffinity', 'statefulset-has-poddisruptionbudget',
];

/** Every gate of the files under `infra/`, over the tree under a root. */
export function infraGates(tools: InfraTools): readonly Gate[] {
  return [
    { name: 'manifests', unit: 'resources', inspect: (root) => checkManifests(root, tools) },
    { name: 'practice', unit: 'overlays', inspect: (root) => checkPractice(root, tools) },
    { name: 'autoscalers', unit: 'autoscalers', inspect: (root) => checkAutoscalers(root, tools) },
    { name: 'second-deploy', unit: 'resources', inspect: (root) => checkSecondDeploy(root, tools) },
    { name: 'waves', unit: 'resources', inspect: (root) => checkWaves(root, tools) },
    { name: 'values', unit: 'values', inspect: (root) => checkValues(root, tools) },
    { name: 'console-proxy', unit: 'overlays', inspect: (root) => checkConsoleProxy(root, tools) },
    { name: 'yaml', unit: 'files', inspect: (root) => checkYaml(root, tools) },
    { name: 'image', unit: 'files', inspect: (root) => checkImage(root, tools) },
    { name: 'packages', unit: 'parts', inspect: (root) => checkPackages(root) },
    { name: 'compose', unit: 'services', inspect: (root) => checkCompose(root, tools) },
    { name: 'settings', unit: 'programs', inspect: (root) => checkSettings(root, tools) },
    { name: 'operator', unit: 'settings', inspect: (root) => checkOperator(root, tools) },
    { name: 'rules', unit: 'files', inspect: (root) => checkRules(root, tools) },
    { name: 'dashboards', unit: 'queries', inspect: (root) => checkDashboards(root, tools) },
  ];
}

/** Kustomize builds each overlay, and each resource follows its schema. */
async function checkManifests(root: string, tools: InfraTools): Promise<GateReport> {
  const complaints: string[] = [];
  let seen = 0;
  await eachOverlay(root, tools, complaints, async (overlay, file) => {
    const args = [
      '-strict', '-output', 'json', '-summary',
      ...tools.schemaLocations.flatMap((location) => ['-schema-location', location]), file,
    ];
    const output = await saying(tools.kubeconform, args);
    const { resources = [], summary } = JSON.parse(output) as Conformance;
    seen += summary.valid;
    complaints.push(...resources.map(({ kind, name, msg }) => `${overlay} ${kind} ${name}: ${msg}`));
  });
  return { seen, complaints };
}

interface Conformance {
  readonly resources?: readonly { kind: string; name: string; msg: string }[];
  readonly summary: { readonly valid: number };
}

/** What people learnt about manifests that are valid and yet wrong. */
async function checkPractice(root: string, tools: InfraTools): Promise<GateReport> {
  const complaints: string[] = [];
  let seen = 0;
  await eachOverlay(root, tools, complaints, async (overlay, file) => {
    const output = await saying(tools.kubeScore, [
      'score', '--output-format', 'ci', '--ignore-container-cpu-limit',
      '--kubernetes-version', 'v1.33',
      ...UNASKED.flatMap((test) => ['--ignore-test', test]), file,
    ]);
    const lines = output.split('\n');
    if (lines.some((line) => line.startsWith('[OK]'))) seen += 1;
    complaints.push(
      ...lines.filter((line) => line.startsWith('[CRITICAL]')).map((line) => `${overlay} ${line}`),
    );
  });
  return { seen, complaints };
}

async function eachOverlay(
  root: string, tools: InfraTools, complaints: string[],
  check: (overlay: string, file: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rastro-infra-'));
  try {
    for (const overlay of RENDERINGS) {
      const file = join(folder, `${overlay}.yaml`);
      try {
        writeFileSync(file, await renderedText(root, overlay, tools.kustomize));
      } catch (error) {
        complaints.push(`${overlay} cannot be built: ${(error as Error).message}`);
        continue;
      }
      await check(overlay, file);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkYaml(root: string, tools: InfraTools): Promise<GateReport> {
  const files = filesBelow(join(root, 'infra'), /\.ya?ml$/);
  const output = await saying('python3', [
    '-m', 'yamllint', '--strict', '-f', 'parsable',
    '-c', join(import.meta.dirname, 'yamllint.yaml'), ...files,
  ], { PYTHONPATH: tools.pythonPackages });
  return { seen: files.length, complaints: linesOf(output).map((line) => line.replace(root, '')) };
}

async function checkImage(root: string, tools: InfraTools): Promise<GateReport> {
  const files = filesBelow(join(root, 'infra'), /(^|\/)Dockerfile$/);
  const output = await saying(tools.hadolint, ['--no-color', ...files]);
  return { seen: files.length, complaints: linesOf(output).map((line) => line.replace(root, '')) };
}

/** promtool reads the rules, and runs their tests. */
async function checkRules(root: string, tools: InfraTools): Promise<GateReport> {
  const rules = filesBelow(join(root, MONITORING), /\.rules\.yaml$/);
  const tests = filesBelow(join(root, MONITORING), /\.test\.yaml$/);
  const complaints: string[] = [];
  for (const args of [['check', 'rules', ...rules], ['test', 'rules', ...tests]]) {
    const failed = await run(tools.promtool, args, { deadlineMs: RULES_MS_MAX }).then(
      () => [], (error: unknown) => linesOf((error as Error).message),
    );
    complaints.push(...failed);
  }
  return { seen: rules.length * tests.length, complaints };
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
}

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .toSorted();
}
