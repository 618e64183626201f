import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import parsers from '@stoplight/spectral-parsers';
import { plainEnv, renderedText, resourcesOf } from './resources.ts';

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

const MAIN = /^services\/(gateways|workers)\/main\.ts$/;

/** The overlays that are shipped; `prod` is the standard profile with values of an example. */
export const OVERLAYS = ['dev', 'prod'] as const;

/** All that the manifests can become: the overlays, and the other profiles of `prod`. */
export const RENDERINGS = [...OVERLAYS, 'small', 'large'] as const;

/** What Kustomize makes of an overlay, program by program. */
export async function renderedOverlay(
  root: string, overlay: string, kustomize: string,
): Promise<readonly RenderedProcess[]> {
  return processesOf(await renderedText(root, overlay, kustomize));
}

/** The programs among resources, each with the settings that reach it. */
export function processesOf(text: string): readonly RenderedProcess[] {
  const resources = resourcesOf(text);
  return resources.filter(({ kind }) => kind === 'Deployment').flatMap(({ metadata, spec }) =>
    (spec?.template?.spec.containers ?? []).flatMap((container) => {
      const secrets = (container.env ?? []).filter(({ valueFrom }) => valueFrom !== undefined)
        .map(({ name }) => name);
      const env = plainEnv(container, resources);
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
