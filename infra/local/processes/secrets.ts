import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Secrets of one data directory: made once, kept as long as its data. */
export interface LocalSecrets {
  readonly secretPepper: string;
  readonly commandToken: string;
  /** Key of the sealed secrets of parties, in base64. */
  readonly vaultKey: string;
  /** Key of the proofs of delivery, in base64. */
  readonly imageKey: string;
  /** Keys of personal data, name:base64, newest first. */
  readonly personalKey: string;
}

/** Reads the secrets of a directory, or makes them; the file is readable by its owner only. */
export async function localSecrets(dir: string): Promise<LocalSecrets> {
  const first = await kept(join(dir, 'secrets.json'), () => Promise.resolve({
    secretPepper: randomBytes(32).toString('base64url'),
    commandToken: randomBytes(32).toString('base64url'),
  }));
  // Files of their own: data directories of earlier days have the first ones already.
  const vault = await kept(join(dir, 'vault.json'), () => Promise.resolve({
    vaultKey: randomBytes(32).toString('base64'),
  }));
  const image = await kept(join(dir, 'image.json'), () => Promise.resolve({
    imageKey: randomBytes(32).toString('base64'),
  }));
  const personal = await kept(join(dir, 'personal.json'), () => Promise.resolve({
    personalKey: `local-1:${randomBytes(32).toString('base64')}`,
  }));
  return { ...first, ...vault, ...image, ...personal };
}

/** Returns what the file holds, or stores and returns what `make` makes. */
export async function kept<Value>(path: string, make: () => Promise<Value>): Promise<Value> {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Value;
  const value = await make();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value), { mode: 0o600 });
  return value;
}
