import { join } from 'node:path';
import { parse } from 'yaml';
import type { GateReport } from '../../scripts/check/gate.ts';
import { run } from '../local/command.ts';
import { isInside, VALUES } from '../values/operator-values.ts';
import { wrongsOf } from '../values/read-values.ts';
import { valueAt, type ValueTree } from '../values/value.ts';
import { RENDERINGS } from './rendered.ts';
import { exampleOf, PROFILE_OF, renderedText, resourcesOf, type Container, type Resource } from './resources.ts';
import type { InfraTools } from './tools.ts';

const BUILD_MS_MAX = 600_000;
const OUR_PROGRAM = /^(services|scripts)\/|^-e$/;
const WITH_PODS = ['Deployment', 'StatefulSet', 'Job', 'CronJob'];
/** What the small profile is for: Pods of ours, and thousandths of a core for all of them. */
const SMALL = { pods: { gateways: 2, live: 1, workers: 2 }, cpu: 1_000 } as const;

/** Nothing of production renders without its values, and with them each value is in it. */
export async function checkValues(
  root: string, { kustomize }: Pick<InfraTools, 'kustomize'>,
): Promise<GateReport> {
  const example = parse(exampleOf(root, 'standard')) as ValueTree;
  const complaints = [...wrongsOf(example), ...await withoutValues(root, kustomize)];
  if (complaints.length > 0) return { seen: VALUES.length, complaints };
  for (const name of RENDERINGS.filter((each) => each !== 'dev')) {
    const text = await renderedText(root, name, kustomize);
    const resources = resourcesOf(text);
    const own = [
      ...withoutDigest(resources),
      ...(name === 'small' ? tooMuch(resources)
        : unsaid(parse(exampleOf(root, PROFILE_OF[name] ?? 'standard')) as ValueTree, text)),
    ];
    complaints.push(...own.map((each) => `${name} ${each}`));
  }
  return { seen: VALUES.length, complaints };
}

/** The overlay alone must not build: what an operator has not said would be made up. */
async function withoutValues(root: string, kustomize: string): Promise<readonly string[]> {
  const folder = join(root, 'infra/kubernetes/overlays/prod');
  return run(kustomize, ['build', folder, '-o', '/dev/null'], { deadlineMs: BUILD_MS_MAX }).then(
    () => ['overlays/prod builds without values'],
    (error: unknown) => (/prod\/values/.test((error as Error).message) ? [] : [(error as Error).message]),
  );
}

/** Values of the example that are nowhere in what is rendered; those of parts inside are others. */
export function unsaid(example: ValueTree, text: string): readonly string[] {
  return VALUES.filter(({ path }) => path !== 'profile').flatMap(({ path }) => {
    const value = valueAt(example, path);
    const words = Array.isArray(value) ? value.map(String) : [String(value)];
    return isInside(value) || words.every((word) => text.includes(word)) ? [] : [`has nothing of ${path}`];
  });
}

/** Containers of ours whose image may change under its tag. */
export function withoutDigest(resources: readonly Resource[]): readonly string[] {
  return resources.flatMap((resource) => containersOf(resource)
    .filter(({ args: [program = ''] = [] }) => OUR_PROGRAM.test(program))
    .filter(({ image = '' }) => !image.includes('@sha256:'))
    .map(({ image = '' }) => `${resource.kind} ${resource.metadata.name} has the image ${image}, without a digest`));
}

/** What the small profile has beyond its two gateways, its live one, two workers and one core. */
export function tooMuch(resources: readonly Resource[]): readonly string[] {
  const deployments = resources.filter(({ kind }) => kind === 'Deployment');
  const podsOf = ({ spec }: Resource): number => Number(spec?.['replicas'] ?? 1);
  const wrongs = Object.entries(SMALL.pods)
    .filter(([name, count]) => !deployments.some((each) => (
      each.metadata.name === name && podsOf(each) === count
    )))
    .map(([name, count]) => `has not ${count} Pods of ${name}`);
  const standing = deployments.reduce((sum, each) => sum + podsOf(each) * cpuOf(each), 0);
  const jobs = Math.max(0, ...resources.filter(({ kind }) => kind === 'Job').map(cpuOf));
  const sum = standing + jobs;
  return sum <= SMALL.cpu ? wrongs : [...wrongs, `asks for ${sum}m of CPU, more than a core`];
}

function cpuOf(resource: Resource): number {
  return containersOf(resource).reduce((sum, { resources }) => {
    const cpu = resources?.requests?.['cpu'] ?? '0';
    return sum + (cpu.endsWith('m') ? Number.parseInt(cpu, 10) : Number(cpu) * 1_000);
  }, 0);
}

function containersOf({ kind, spec }: Resource): readonly Container[] {
  // Others have a template too: a pool of brokers, a secret of a store.
  if (!WITH_PODS.includes(kind)) return [];
  const job = spec?.['jobTemplate'] as Resource | undefined;
  return (spec?.template ?? job?.spec?.template)?.spec.containers ?? [];
}
