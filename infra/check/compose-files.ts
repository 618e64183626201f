import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import parsers from '@stoplight/spectral-parsers';

/** The compose file and what it includes. */
export const COMPOSE_FILES = [
  'infra/compose/compose.yaml', 'infra/compose/folders.compose.yaml',
  'infra/compose/tools.compose.yaml', 'infra/compose/operator.compose.yaml',
] as const;

/** A service of the compose file, as far as checks look at it. */
export interface ComposeService {
  readonly image?: string;
  readonly user?: string;
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: object;
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly (string | object)[];
  readonly depends_on?: Readonly<Record<string, object>>;
}

/** Services by name. */
export type ComposeServices = Readonly<Record<string, ComposeService>>;

/** The services of all files. */
export function composeServices(root: string): ComposeServices {
  return Object.assign({}, ...COMPOSE_FILES.map((file) => {
    const { data } = parsers.Yaml.parse(readFileSync(join(root, file), 'utf8'));
    return (data as { readonly services: ComposeServices }).services;
  })) as ComposeServices;
}
