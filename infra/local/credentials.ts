import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const CLICKHOUSE_USERS = ['admin', 'ingest', 'analyst', 'history', 'pictures', 'backup'] as const;

/** A password for each named user; they belong to one data directory. */
export type Passwords<Name extends string> = { readonly [name in Name]: string };

/** The passwords of the local ClickHouse users. */
export type Credentials = Passwords<(typeof CLICKHOUSE_USERS)[number]>;

/**
 * Where the passwords of the users of a ClickHouse directory are: beside it, since the engine can
 * be asked for the files in it.
 */
export function credentialsFileOf(dir: string): string {
  return `${dir}-credentials.json`;
}

/** The passwords of the ClickHouse users of a data directory. */
export function credentialsOf(path: string): Credentials {
  return passwordsOf(path, CLICKHOUSE_USERS);
}

/**
 * Reads the passwords of a data directory; users that it does not know yet get random ones (file
 * mode 0600).
 */
export function passwordsOf<Name extends string>(
  path: string, names: readonly Name[],
): Passwords<Name> {
  const kept = existsSync(path)
    ? JSON.parse(readFileSync(path, 'utf8')) as Partial<Passwords<Name>>
    : {};
  if (isComplete(kept, names)) return kept;
  const fresh = names.map((name) => [name, randomBytes(24).toString('base64url')] as const);
  const passwords = { ...Object.fromEntries(fresh), ...kept } as Passwords<Name>;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(passwords, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
  return passwords;
}

function isComplete<Name extends string>(
  kept: Partial<Passwords<Name>>, names: readonly Name[],
): kept is Passwords<Name> {
  return names.every((name) => kept[name] !== undefined);
}
