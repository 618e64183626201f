import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import parsers from '@stoplight/spectral-parsers';
import { run } from '../local/command.ts';

/** One program of the platform as shipped files start it. */
export interface RenderedProcess {
  readonly name: string;
  readonly kind: 'gateways' | 'workers';
  /** Its words on the command line. */
  readonly runs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Variables whose value is a secret, which no file has. */
  readonly secrets: readonly string[];
}

const BUILD_MS_MAX = 120_000;
const MAIN = /^services\/(gateways|workers)\/main\.ts$/;

/** The overlays that are shipped. */
export const OVERLAYS = ['dev', 'prod'] as const;

/** What Kustomize makes of an overlay, program by program. */
export async function renderedOverlay(
  root: string, overlay: string, kustomize: string,
): Promise<readonly RenderedProcess[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rastro-rendered-'));
  try {
    const file = join(folder, 'resources.yaml');
    const path = join(root, 'infra/kubernetes/overlays', overlay);
    await run(kustomize, ['build', path, '-o', file], { deadlineMs: BUILD_MS_MAX });
    return processesOf(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: { readonly spec: { readonly containers: readonly Container[] } };
  };
}

interface Container {
  readonly args?: readonly string[];
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
  readonly env?: readonly {
    readonly name: string; readonly value?: string; readonly valueFrom?: object;
  }[];
}

/** The programs among resources, each with the settings that reach it. */
export function processesOf(text: string): readonly RenderedProcess[] {
  const resources = text.split(/^---$/m)
    .map((each) => parsers.Yaml.parse(each).data as Resource | null)
    .filter((each): each is Resource => each?.kind !== undefined);
  const maps = new Map(resources.filter(({ kind }) => kind === 'ConfigMap')
    .map(({ metadata, data }) => [metadata.name, data ?? {}]));
  return resources.filter(({ kind }) => kind === 'Deployment').flatMap(({ metadata, spec }) =>
    (spec?.template?.spec.containers ?? []).flatMap((container) => {
      const shared = (container.envFrom ?? []).map(({ configMapRef }) =>
        maps.get(configMapRef?.name ?? '') ?? {});
      const own = container.env ?? [];
      const plain = own.filter(({ valueFrom }) => valueFrom === undefined)
        .map(({ name, value = '' }) => [name, value] as const);
      const env = Object.fromEntries([...shared.flatMap((map) => Object.entries(map)), ...plain]);
      const secrets = own.filter(({ valueFrom }) => valueFrom !== undefined)
        .map(({ name }) => name);
      return rendered(metadata.name, container.args ?? [], env, secrets);
    }));
}

/** The programs of the compose file; what `.env` gives is a secret. */
export function renderedCompose(root: string): readonly RenderedProcess[] {
  const text = readFileSync(join(root, 'infra/compose/compose.yaml'), 'utf8');
  const { services } = parsers.Yaml.parse(text).data as {
    readonly services: Readonly<Record<string, {
      readonly command?: readonly string[]; readonly environment?: Readonly<Record<string, string>>;
    }>>;
  };
  return Object.entries(services).flatMap(([name, { command = [], environment = {} }]) => {
    const isSecret = ([, value]: [string, string]): boolean => value.includes('${');
    const variables = Object.entries(environment);
    return rendered(
      name, command, Object.fromEntries(variables.filter((each) => !isSecret(each))),
      variables.filter(isSecret).map(([variable]) => variable),
    );
  });
}

function rendered(
  name: string, command: readonly string[], env: Readonly<Record<string, string>>,
  secrets: readonly string[],
): readonly RenderedProcess[] {
  const [main = '', ...runs] = command;
  const kind = MAIN.exec(main)?.[1];
  return kind === 'gateways' || kind === 'workers' ? [{ name, kind, runs, env, secrets }] : [];
}
