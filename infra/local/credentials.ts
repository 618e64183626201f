import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The passwords of the local ClickHouse users; they belong to one data directory. */
export type Credentials = {
  readonly admin: string;
  readonly ingest: string;
  readonly analyst: string;
  readonly history: string;
};

/**
 * Reads the passwords of a data directory; users that it does not know yet get random ones (file
 * mode 0600).
 */
export function credentialsOf(path: string): Credentials {
  const kept = existsSync(path)
    ? JSON.parse(readFileSync(path, 'utf8')) as Partial<Credentials>
    : {};
  if (isComplete(kept)) return kept;
  const password = (): string => randomBytes(24).toString('base64url');
  const credentials = {
    admin: password(), ingest: password(), analyst: password(), history: password(), ...kept,
  };
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
  return credentials;
}

function isComplete(kept: Partial<Credentials>): kept is Credentials {
  return [kept.admin, kept.ingest, kept.analyst, kept.history].every((one) => one !== undefined);
}
