import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GateReport } from '../../scripts/check/gate.ts';
import { composeServices } from './compose-files.ts';
import { OPERATOR_SETTINGS } from './operator-settings.ts';
import { RENDERINGS } from './rendered.ts';
import { plainEnv, renderedText, resourcesOf, type Resource } from './resources.ts';
import type { InfraTools } from './tools.ts';

/** What commands read: their own folder, and the kit that `rastro conformance` runs. */
export const COMMAND_SOURCES = ['services/cli', 'services/conformance'] as const;
const SETTING = /\b(?:RASTRO|KAFKA|REDIS|CLICKHOUSE|SCHEMA_REGISTRY|ANALYST)_[A-Z][A-Z0-9_]*\b/g;
/** Names of the command line in the cluster and in the compose file. */
const DEPLOYMENT = 'command-line';
const SERVICE = 'rastro';

/** The operator's command line has each setting that a command reads, wherever we ship it. */
export async function checkOperator(
  root: string, { kustomize }: Pick<InfraTools, 'kustomize'>,
): Promise<GateReport> {
  const read = settingsReadIn(...COMMAND_SOURCES.map((folder) => join(root, folder)));
  const complaints = read.filter((name) => !(name in OPERATOR_SETTINGS))
    .map((name) => `a command reads ${name}, and infra/check/operator-settings.ts does not say whose it is`);
  for (const name of RENDERINGS) {
    const resources = resourcesOf(await renderedText(root, name, kustomize));
    complaints.push(...lacking(resources).map((each) => `${name} ${DEPLOYMENT} lacks ${each}`));
  }
  const { environment = {} } = composeServices(root)[SERVICE] ?? {};
  complaints.push(...wanted([]).filter((each) => !(each in environment))
    .map((each) => `compose ${SERVICE} lacks ${each}`));
  return { seen: read.length, complaints };
}

/** Settings that a command reads and the Pod of the command line has not. */
export function lacking(resources: readonly Resource[]): readonly string[] {
  const pod = resources.find(({ kind, metadata }) => (
    kind === 'Deployment' && metadata.name === DEPLOYMENT
  ));
  const [container = {}] = pod?.spec?.template?.spec.containers ?? [];
  const given = new Set([
    ...Object.keys(plainEnv(container, resources)),
    ...(container.env ?? []).map(({ name }) => name),
  ]);
  const nightly = resources.filter(({ kind }) => kind === 'CronJob')
    .map(({ metadata }) => metadata.name);
  return wanted(nightly).filter((name) => !given.has(name));
}

function wanted(nightly: readonly string[]): readonly string[] {
  return Object.entries(OPERATOR_SETTINGS)
    .filter(([, source]) => source === 'command line' || nightly.includes(source))
    .map(([name]) => name);
}

/** Names in the sources of folders that have the form of a setting. */
export function settingsReadIn(...folders: readonly string[]): readonly string[] {
  const names = folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => readFileSync(join(folder, path), 'utf8').match(SETTING) ?? []));
  return [...new Set(names)].toSorted();
}
