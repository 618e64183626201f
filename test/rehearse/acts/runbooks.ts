import { join, resolve } from 'node:path';
import { waitFor } from '../../../infra/local/wait.ts';
import { dashboards } from '../../../infra/generate/monitoring/dashboards.ts';
import { partyCommand } from '../../../services/cli/party/command.ts';
import type { Scenario, FaultEnv } from '../../faults/scenario.ts';
import { tryCommand, type Facts } from '../runbooks/commands.ts';
import { startPrometheus, type Prometheus } from '../monitoring/prometheus.ts';
import { targetsOf } from '../monitoring/targets.ts';
import { askTables, someOf } from '../runbooks/tables.ts';
import { instructionsIn, type Instruction } from '../runbooks/instructions.ts';
import { deed, step } from '../steps.ts';

const DOCS_DIR = resolve(import.meta.dirname, '..', '..', '..', 'docs');
/** Calls of every kind have come by then, so that there is something to ask for. */
const BEFORE_MS = 8_000;
/** An operator's machine is not the one that carries everything: calls leave it some time. */
const CALLS_PER_SECOND = 20;
/** Rates need two readings, and every rule one evaluation after them. */
const READINGS = 4;
const RULES_MS_MAX = 60_000;

/** The instructions of runbooks, and the code blocks of "Operate", whose sentences repeat them. */
export function instructionsForOperators(): readonly Instruction[] {
  return [
    ...instructionsIn(join(DOCS_DIR, 'runbooks')),
    ...instructionsIn(join(DOCS_DIR, 'how-to'), /^operate\.md$/)
      .filter(({ text }) => !/\b(ID|PID|NUMBER|PREFIX)\b|"/.test(text)),
  ];
}

/** Every query and command of the runbooks is run while calls come. */
export const runbooks: Scenario = {
  name: 'runbooks',
  does: 'queries, questions and commands of every runbook and of "Operate", rules and dashboards, '
    + 'tried by a real Prometheus, as an analyst and by the command line',
  aims: ['I1', 'I2', 'I14'], seconds: 1, isBalanced: true, ownCluster: {},
  callsPerSecond: CALLS_PER_SECOND,
  plan: () => [{ atMs: BEFORE_MS, fault: deed('runbooks', 'nothing', async (faultEnv) => {
    const { cluster, remark } = faultEnv;
    const instructions = instructionsForOperators();
    const prometheus = await startPrometheus(join(cluster.dir, 'prometheus'), targetsOf(cluster));
    try {
      await step(faultEnv, 'Prometheus reads every process', () => prometheus.untilRead(READINGS));
      remark(`rules: ${await tryRules(prometheus)}`);
      remark(`queries of runbooks: ${await tryQueries(prometheus, instructions.filter(isA('query')))}`);
      remark(`queries of dashboards: ${await tryQueries(prometheus, onDashboards())}`);
    } finally {
      await prometheus.close();
    }
    remark(`questions to ClickHouse: ${await askTables(cluster, instructions.filter(isA('question')))}`);
    await tryCommands(faultEnv, instructions.filter(isA('command')));
    remark(`not tried: ${instructions.filter(isA('kubectl')).length} lines of kubectl, which need a cluster`);
  }) }],
};

const isA = (kind: Instruction['kind']) => ({ kind: own }: Instruction): boolean => own === kind;

function onDashboards(): readonly Instruction[] {
  return dashboards().flatMap(({ uid, panels }) => panels.flatMap((panel) => {
    const { targets } = panel as { readonly targets: readonly { readonly expr: string }[] };
    return targets.map(({ expr }): Instruction => ({
      page: uid, kind: 'query', text: expr.replaceAll('$__rate_interval', '1m'),
    }));
  }));
}

/** Waits until each rule was evaluated over metrics of the cluster; throws with the wrong ones. */
async function tryRules(prometheus: Prometheus): Promise<string> {
  await waitFor(async () => {
    const rules = await prometheus.rules();
    return rules.length > 0 && rules.every(({ health }) => health !== 'unknown');
  }, { what: 'The evaluation of each rule', deadlineMs: RULES_MS_MAX, everyMs: 500 });
  const rules = await prometheus.rules();
  const wrong = rules.filter(({ health }) => health === 'err');
  if (wrong.length > 0) {
    throw new Error(wrong.map(({ name, lastError = '' }) => `${name}: ${lastError}`).join('; '));
  }
  return `${rules.length} evaluated, none failed`;
}

/** Asks each once; a query without series is right where nothing of the kind has happened. */
async function tryQueries(
  prometheus: Prometheus, instructions: readonly Instruction[],
): Promise<string> {
  const texts = [...new Set(instructions.map(({ text }) => text))];
  const empty: string[] = [];
  for (const text of texts) {
    if (await prometheus.seriesOf(text) === 0) empty.push(text);
  }
  const names = new Set(empty.flatMap((text) => text.match(/\brastro[_:][a-z0-9_:]+/g) ?? []));
  return `${texts.length} asked, ${texts.length - empty.length} had series`
    + (names.size === 0 ? '' : `; of ${[...names].toSorted().join(', ')} what was asked for had not `
      + 'happened');
}

async function tryCommands(
  faultEnv: FaultEnv, instructions: readonly Instruction[],
): Promise<void> {
  const facts = await factsOf(faultEnv);
  const texts = [...new Set(instructions.map(({ text }) => text))];
  const came: string[] = [];
  for (const text of texts) {
    const code = await tryCommand(faultEnv.cluster, text, facts);
    if (code !== undefined) came.push(`\`${text}\` ${code}`);
  }
  faultEnv.remark(`commands: ${came.length} of ${texts.length} called, with their exit codes: ${
    came.join(', ')}`);
}

/** Waits for a device and a shipment of the load, and makes a party that may be changed. */
async function factsOf({ cluster, residents }: FaultEnv): Promise<Facts> {
  const [provider] = residents.providers;
  const made = await partyCommand(cluster.operator, [
    'add', '--kind', 'provider', '--name', 'Trial', '--provider', 'trial',
    '--url', 'https://trial.example', '--auth', 'static',
  ]);
  const { device, shipment } = await someOf(cluster);
  return {
    client: provider?.client_id ?? '', provider: provider?.provider ?? '', device, shipment,
    party: (made.value as { readonly party_id: string }).party_id,
  };
}
