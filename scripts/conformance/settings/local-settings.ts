import { resolve } from 'node:path';
import type { RenderedProcess } from '../../../infra/check/rendered.ts';
import type { LocalSettings } from '../../../infra/local/processes/local-plans.ts';
import { ROOT_DIR } from '../../../infra/local/processes/process.ts';
import type { ProcessPlan } from '../../../infra/local/processes/start-platform.ts';

/**
 * What this machine gives instead of what was shipped: where the parts are and who logs in there,
 * and ports. Everything else reaches the program as it was rendered.
 */
const GIVEN_BY_MACHINE = [
  /^KAFKA_/, /^SCHEMA_REGISTRY_/, /^REDIS_/, /^RASTRO_REDIS_(CLUSTER|SENTINEL)/, /^CLICKHOUSE_/,
  /^RASTRO_HTTP_PORT$/, /^RASTRO_(GATEWAYS|WORKERS)_ADMIN_PORT$/,
] as const;

/** Values that the files leave to a deployment begin so. */
const YOURS = /^your-/;

/** Ports above that of the copy which neither its parts nor its provider take. */
const SPARE_PORTS = [1, 2, 3, 5, 6, 7, 8, 9, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24] as const;

/**
 * How rendered programs run here: one plan for each. A single gateway has the port of the copy;
 * several are behind it, on ports of their own.
 */
export function plansOf(
  processes: readonly RenderedProcess[], local: LocalSettings,
): readonly ProcessPlan[] {
  const isSingle = processes.filter(({ kind }) => kind === 'gateways').length === 1;
  const spare = SPARE_PORTS.values();
  const port = (): number => local.ports.http + (spare.next().value ?? 0);
  return processes.map(({ name, kind, runs, env, secrets }) => ({
    name, kind, runs,
    ...(kind === 'workers' ? {} : { httpPort: isSingle ? local.ports.http : port() }),
    adminPort: port(),
    env: {
      ...Object.fromEntries(Object.entries(env).filter(([variable]) => !isGiven(variable))
        .map(([variable, value]) => [variable, valueOf(variable, value, local)])),
      ...secretsOf(secrets, local),
    },
  }));
}

/** The variables that stay exactly as they were rendered. */
export function keptOf({ env }: RenderedProcess): readonly string[] {
  return Object.entries(env).filter(([variable, value]) =>
    !isGiven(variable) && !isFile(variable) && !YOURS.test(value)).map(([variable]) => variable);
}

function isGiven(variable: string): boolean {
  return GIVEN_BY_MACHINE.some((pattern) => pattern.test(variable));
}

function isFile(variable: string): boolean {
  return /_(DIR|FILE)$/.test(variable);
}

/** Folders are this copy's own; a file of the image is that of this tree. */
function valueOf(variable: string, value: string, { dir, identity }: LocalSettings): string {
  if (variable.endsWith('_DIR')) return resolve(dir, variable.toLowerCase());
  if (variable.endsWith('_FILE')) return resolve(ROOT_DIR, value);
  if (!YOURS.test(value)) return value;
  if (variable === 'RASTRO_CARRIER_CLIENT_ID') return identity.clientId;
  throw new Error(`${variable}=${value} is left to a deployment, and this check cannot give it.`);
}

/** Secrets by the names that the files ask for: what they forget, the program does not get. */
function secretsOf(
  names: readonly string[], { secrets }: LocalSettings,
): Readonly<Record<string, string>> {
  const known: Readonly<Record<string, string>> = {
    RASTRO_SECRET_PEPPER: secrets.secretPepper, RASTRO_PERSONAL_KEY: secrets.personalKey,
    RASTRO_IMAGE_KEY: secrets.imageKey, RASTRO_VAULT_KEY: secrets.vaultKey,
  };
  return Object.fromEntries(names.filter((name) => !isGiven(name)).map((name) => {
    const value = known[name];
    if (value === undefined) throw new Error(`This check has no value for the secret ${name}.`);
    return [name, value];
  }));
}
