import { readdirSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buildOnce, type Cache } from '../local/cache.ts';
import { run, runs } from '../local/command.ts';
import { promtool } from './prometheus.ts';
import { copyKubernetesSchemas, writeSchemas } from './resource-schemas.ts';
import { STRIMZI, strimziDefinitions } from './strimzi.ts';

/** The programs and schemas that check the manifests, each brought once into the cache. */
export interface InfraTools {
  /** Paths of programs. */
  readonly kustomize: string;
  readonly kubeconform: string;
  readonly kubeScore: string;
  readonly promtool: string;
  readonly hadolint: string;
  /** Folder of Python packages; `python3 -m yamllint` runs with it as PYTHONPATH. */
  readonly pythonPackages: string;
  /** Patterns of places of JSON Schemas, as kubeconform wants them. */
  readonly schemaLocations: readonly string[];
  readonly composeSchema: string;
}

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const INSTALL_MS_MAX = 1_800_000;
const KUBERNETES_VERSION = 'v1.35.0';

const PROGRAMS = {
  kubeconform: { module: 'github.com/yannh/kubeconform/cmd/kubeconform', version: 'v0.8.0' },
  kustomize: { module: 'sigs.k8s.io/kustomize/kustomize/v5', version: 'v5.7.1' },
  'kube-score': { module: 'github.com/zegl/kube-score/cmd/kube-score', version: 'v1.20.0' },
} as const;

/** The autoscaler that the manifests are for. */
export const KEDA = { module: 'github.com/kedacore/keda/v2', version: 'v2.21.0' } as const;

/** Modules that carry the definitions of resources, and where in them. */
const DEFINITIONS = [
  { ...KEDA, folder: 'config/crd/bases' },
  {
    module: 'github.com/external-secrets/external-secrets', version: 'v1.3.2',
    folder: 'config/crds/bases',
  },
  { module: 'sigs.k8s.io/gateway-api', version: 'v1.4.1', folder: 'config/crd/standard' },
  {
    module: 'github.com/prometheus-operator/prometheus-operator', version: 'v0.85.0',
    folder: 'example/prometheus-operator-crd',
  },
] as const;
const COMPOSE = { module: 'github.com/compose-spec/compose-go/v2', version: 'v2.10.1' };

/** Brings everything that is missing; throws one sentence when Go, Python or apt is. */
export async function requireInfraTools(
  root: string, cacheDir: string, print: (line: string) => void,
): Promise<InfraTools> {
  const cache: Cache = {
    dir: cacheDir, log: (_grade, line) => print(line), waitMsMax: INSTALL_MS_MAX,
  };
  if (!await runs('go', ['version'])) throw new Error('check:infra needs Go 1.26 or later.');
  if (!await runs('python3', ['-m', 'pip', '--version'])) {
    throw new Error('check:infra needs python3 (3.10 or later) with pip.');
  }
  const python = await pythonPackages(cache);
  const definitions = await definitionSchemas(cache);
  const compose = await moduleFolder(COMPOSE);
  return {
    kubeconform: await goProgram(cache, 'kubeconform'),
    kustomize: await goProgram(cache, 'kustomize'),
    kubeScore: await goProgram(cache, 'kube-score'),
    promtool: await promtool(cache),
    hadolint: join(python, 'bin', 'hadolint'),
    pythonPackages: python,
    schemaLocations: [
      join(await kubernetesSchemas(cache, python), '{{.ResourceKind}}{{.KindSuffix}}.json'),
      join(definitions, '{{.Group}}', '{{.ResourceKind}}_{{.ResourceAPIVersion}}.json'),
    ],
    composeSchema: join(compose, 'schema', 'compose-spec.json'),
  };
}

/** Kustomize alone, for those who only need what an overlay renders; needs Go the first time. */
export async function requireKustomize(
  cacheDir: string, print: (line: string) => void,
): Promise<string> {
  return goProgram(
    { dir: cacheDir, log: (_grade, line) => print(line), waitMsMax: INSTALL_MS_MAX }, 'kustomize',
  );
}

async function goProgram(cache: Cache, name: keyof typeof PROGRAMS): Promise<string> {
  const { module, version } = PROGRAMS[name];
  const folder = await buildOnce(cache, `${name}-${version}`, `${name}-go`, async (draft) => {
    await run('go', ['install', `${module}@${version}`], {
      cwd: draft, deadlineMs: INSTALL_MS_MAX,
      env: { GOBIN: draft, GOFLAGS: '-buildvcs=false', GOPATH: process.env['GOPATH'] },
    });
  });
  return join(folder, name);
}

/** Where Go keeps the files of a module, which it brings the first time. */
export async function moduleFolder(
  { module, version }: { readonly module: string; readonly version: string },
): Promise<string> {
  const output = await run('go', ['mod', 'download', '-json', `${module}@${version}`], {
    deadlineMs: INSTALL_MS_MAX, env: { GOFLAGS: '-mod=mod' },
  });
  const { Dir } = JSON.parse(output.slice(output.indexOf('{'))) as { readonly Dir: string };
  return Dir;
}

/** JSON Schemas of all the definitions, a file for each version of each resource. */
async function definitionSchemas(cache: Cache): Promise<string> {
  const all = JSON.stringify([DEFINITIONS, STRIMZI.version]);
  const name = createHash('sha256').update(all).digest('hex').slice(0, 12);
  return buildOnce(cache, `resource-schemas-${name}`, 'resource-schemas', async (draft) => {
    for (const file of await definitionFiles(cache)) {
      writeSchemas(readFileSync(file, 'utf8'), draft);
    }
  });
}

/** Files with the definitions of every operator that the manifests are for. */
export async function definitionFiles(cache: Cache): Promise<readonly string[]> {
  const folders = [await strimziDefinitions(cache)];
  for (const definition of DEFINITIONS) {
    folders.push(join(await moduleFolder(definition), definition.folder));
  }
  return folders.flatMap((folder) => readdirSync(folder)
    .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    .map((file) => join(folder, file)));
}

async function kubernetesSchemas(cache: Cache, python: string): Promise<string> {
  const name = `kubernetes-schemas-${KUBERNETES_VERSION}`;
  return buildOnce(cache, name, 'kubernetes-schemas', (draft) => {
    const all = join(python, 'kubernetes_validate', 'kubernetes-json-schema');
    copyKubernetesSchemas(join(all, `${KUBERNETES_VERSION}-local-strict`), draft);
    return Promise.resolve();
  });
}

async function pythonPackages(cache: Cache): Promise<string> {
  const requirements = readFileSync(REQUIREMENTS);
  const name = createHash('sha256').update(requirements).digest('hex').slice(0, 12);
  return buildOnce(cache, `infra-python-${name}`, 'infra-python', async (draft) => {
    await run('python3', [
      '-m', 'pip', 'install', '--quiet', '--no-input', '--no-deps', '--only-binary', ':all:',
      '--disable-pip-version-check', '--root-user-action', 'ignore',
      '--target', draft, '-r', REQUIREMENTS,
    ], { deadlineMs: INSTALL_MS_MAX });
  });
}
