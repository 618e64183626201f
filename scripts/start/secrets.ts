import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Secrets of one data directory: made once, kept as long as its data. */
export interface LocalSecrets {
  readonly secretPepper: string;
  readonly commandToken: string;
}

/** Reads the secrets of a directory, or makes them; the file is readable by its owner only. */
export function localSecrets(dir: string): Promise<LocalSecrets> {
  return kept(join(dir, 'secrets.json'), () => Promise.resolve({
    secretPepper: randomBytes(32).toString('base64url'),
    commandToken: randomBytes(32).toString('base64url'),
  }));
}

/** Returns what the file holds, or stores and returns what `make` makes. */
export async function kept<Value>(path: string, make: () => Promise<Value>): Promise<Value> {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Value;
  const value = await make();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value), { mode: 0o600 });
  return value;
}
