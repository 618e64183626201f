import { readFileSync } from 'node:fs';
import type { TlsTexts } from '../../kernel/tls.ts';
import type { Settings } from './setting.ts';

/** The parts that are reached by TLS when their address says so. */
export type TlsPart = 'REDIS' | 'CLICKHOUSE' | 'SCHEMA_REGISTRY';

type Kind = 'CA' | 'CERTIFICATE' | 'KEY';
type Name = `${TlsPart}_TLS_${Kind}_FILE`;

const KINDS: readonly Kind[] = ['CA', 'CERTIFICATE', 'KEY'];
const SCHEMES: readonly string[] = ['https:', 'rediss:'];

const file = { type: 'string', optional: true, minLength: 1 } as const;
const ca = (what: string) =>
  ({ ...file, description: `Certificate that signs that of ${what}, in PEM; else the system's.` });
const certificate = (what: string) =>
  ({ ...file, description: `Our own certificate for ${what}, in PEM, where it asks for one.` });
const key = (what: string) =>
  ({ ...file, description: `Key of our own certificate for ${what}, in PEM.` });

/** Files for TLS with the state store. */
export const redisTlsSettings = {
  REDIS_TLS_CA_FILE: ca('the state store'),
  REDIS_TLS_CERTIFICATE_FILE: certificate('the state store'),
  REDIS_TLS_KEY_FILE: key('the state store'),
} as const satisfies Settings;

/** Files for TLS with the analytical store. */
export const clickHouseTlsSettings = {
  CLICKHOUSE_TLS_CA_FILE: ca('the analytical store'),
  CLICKHOUSE_TLS_CERTIFICATE_FILE: certificate('the analytical store'),
  CLICKHOUSE_TLS_KEY_FILE: key('the analytical store'),
} as const satisfies Settings;

/** Files for TLS with the schema registry. */
export const registryTlsSettings = {
  SCHEMA_REGISTRY_TLS_CA_FILE: ca('the schema registry'),
  SCHEMA_REGISTRY_TLS_CERTIFICATE_FILE: certificate('the schema registry'),
  SCHEMA_REGISTRY_TLS_KEY_FILE: key('the schema registry'),
} as const satisfies Settings;

/**
 * The texts of the files that are named for a part; undefined where none is. Throws one sentence
 * where a file cannot be read, half a pair is named, or the address is without TLS: nothing that
 * should be secret goes out in clear because of one missing character.
 */
export function readTls(
  part: TlsPart, url: string | undefined, env: Readonly<Record<string, unknown>>,
): TlsTexts | undefined {
  const nameOf = (kind: Kind): Name => `${part}_TLS_${kind}_FILE`;
  const [caText, cert, keyText] = KINDS.map((kind) => textOf(nameOf(kind), env[nameOf(kind)]));
  if ((cert === undefined) !== (keyText === undefined)) {
    throw new Error(`${nameOf('CERTIFICATE')} and ${nameOf('KEY')} belong together.`);
  }
  if (caText === undefined && cert === undefined) return undefined;
  if (url !== undefined && !SCHEMES.includes(new URL(url).protocol)) {
    throw new Error(
      `Files for TLS are named for ${part}, but ${part}_URL is without TLS:`
      + ` begin it with ${part === 'REDIS' ? 'rediss' : 'https'}://.`,
    );
  }
  return {
    ...(caText === undefined ? {} : { ca: caText }),
    ...(cert === undefined || keyText === undefined ? {} : { cert, key: keyText }),
  };
}

function textOf(name: string, path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
