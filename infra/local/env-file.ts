import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes `NAME='value'` lines that a shell can source (`set -a; . file`), readable only by the
 * owner because passwords are among them. It is replaced whole: no reader sees half of it.
 */
export function writeEnvFile(path: string, record: Readonly<Record<string, string>>): void {
  mkdirSync(dirname(path), { recursive: true });
  const lines = Object.entries(record).map(([name, value]) => `${name}=${quote(name, value)}\n`);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, lines.join(''), { mode: 0o600 });
  renameSync(draft, path);
}

function quote(name: string, value: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Error(`${name} is no variable name.`);
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
