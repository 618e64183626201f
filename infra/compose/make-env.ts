/** Writes `.env` beside this file: random secrets for compose.yaml, once, for this user alone. */
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '.env');

const PASSWORDS = [
  'CLICKHOUSE_ADMIN_PASSWORD', 'CLICKHOUSE_INGEST_PASSWORD', 'CLICKHOUSE_ANALYST_PASSWORD',
  'CLICKHOUSE_HISTORY_PASSWORD', 'CLICKHOUSE_PICTURES_PASSWORD', 'CLICKHOUSE_BACKUP_PASSWORD',
  'RASTRO_SECRET_PEPPER', 'RASTRO_PROVIDER_COMMAND_TOKEN',
] as const;

/** 32 bytes in Base64: these are keys, whose form the services check. */
const KEYS = ['RASTRO_IMAGE_KEY', 'RASTRO_VAULT_KEY', 'RASTRO_PERSONAL_KEY'] as const;

/** The lines of the file, each secret drawn now. */
function envLines(): readonly string[] {
  return [
    ...PASSWORDS.map((name) => `${name}=${randomBytes(24).toString('base64url')}`),
    ...KEYS.map((name) => `${name}=${randomBytes(32).toString('base64')}`),
  ];
}

if (existsSync(FILE)) {
  process.stdout.write('.env is there already; delete it and the volumes to begin again.\n');
} else {
  writeFileSync(FILE, `${envLines().join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  process.stdout.write('.env is written.\n');
}
