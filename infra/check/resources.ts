import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { run } from '../local/command.ts';
import { readValues } from '../values/read-values.ts';
import { renderProd } from '../values/render.ts';
import type { SizeProfile } from '../values/value.ts';

/** A container of a Pod, as far as checks look at it. */
export interface Container {
  readonly image?: string;
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  readonly args?: readonly string[];
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
  readonly env?: readonly {
    readonly name: string; readonly value?: string; readonly valueFrom?: object;
  }[];
}

/** A rendered resource, as far as checks look at it. */
export interface Resource {
  readonly kind: string;
  readonly metadata: {
    readonly name: string; readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: { readonly spec: { readonly containers: readonly Container[] } };
    readonly [field: string]: unknown;
  };
}

const BUILD_MS_MAX = 600_000;

const EXAMPLE = 'infra/kubernetes/overlays/prod/example.yaml';
/** The profile of each rendering of production. */
export const PROFILE_OF: Readonly<Record<string, SizeProfile>> = {
  prod: 'standard', small: 'small', large: 'large',
};

/** What Kustomize makes of an overlay, or of a profile of `prod` with the example's values. */
export async function renderedText(
  root: string, name: string, kustomize: string,
): Promise<string> {
  const { [name]: profile } = PROFILE_OF;
  if (profile !== undefined) {
    return renderProd(root, readValues(exampleOf(root, profile)), kustomize);
  }
  const folder = mkdtempSync(join(tmpdir(), 'rastro-rendered-'));
  try {
    const file = join(folder, 'resources.yaml');
    const path = join(root, 'infra/kubernetes/overlays', name);
    await run(kustomize, ['build', path, '-o', file], { deadlineMs: BUILD_MS_MAX });
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The values that the gates render with, for a profile; the standard one has its parts inside. */
export function exampleOf(root: string, profile: SizeProfile): string {
  const text = readFileSync(join(root, EXAMPLE), 'utf8')
    .replace(/^profile: .*$/m, `profile: ${profile}`);
  return profile !== 'standard' ? text
    : text.replace(/^( +schema_registry): .*$/m, '$1: inside').replace(/^( +redis): .*$/m, '$1: [inside]');
}

/** The resources of a rendered text, in their order. */
export function resourcesOf(text: string): readonly Resource[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Resource | null)
    .filter((each): each is Resource => each?.kind !== undefined);
}

/** The values that reach a container in files; a secret has none. */
export function plainEnv(
  { envFrom = [], env = [] }: Container, resources: readonly Resource[],
): Readonly<Record<string, string>> {
  const maps = new Map(resources.filter(({ kind }) => kind === 'ConfigMap')
    .map(({ metadata, data }) => [metadata.name, data ?? {}]));
  const shared = envFrom.map(({ configMapRef }) => maps.get(configMapRef?.name ?? '') ?? {});
  const own = env.filter(({ valueFrom }) => valueFrom === undefined)
    .map(({ name, value = '' }) => [name, value] as const);
  return Object.fromEntries([...shared.flatMap((map) => Object.entries(map)), ...own]);
}
