import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogAuthority } from './log-authority.ts';

/** What a store of secrets would bring, by the names of Secrets and their keys. */
export type DrawnSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Users at the broker; `admin` makes topics and rights. */
const LOG_USERS = ['admin', 'gateways', 'live', 'workers', 'operator'] as const;
/** Who changes users of the state store; no process of the product is this one. */
export const STATE_ADMIN = 'administrator';

/** Draws every secret that the manifests name. */
export function drawSecrets(root: string, authority: LogAuthority): DrawnSecrets {
  const log = byName(LOG_USERS, word);
  const state = byName(['gateways', 'workers', 'operator', 'watcher', STATE_ADMIN], word);
  const tables = byName(['ADMIN', 'INGEST', 'ANALYST', 'HISTORY', 'PICTURES', 'BACKUP'], word);
  const tablesOf = (user: string) => ({ [`CLICKHOUSE_${user}_PASSWORD`]: tables[user] ?? '' });
  const [pepper, image, vault, personal] = [word(), key(), key(), `own:${key()}`];
  const shared = { RASTRO_IMAGE_KEY: image, RASTRO_PERSONAL_KEY: personal };
  return {
    'kafka-server': { 'server.properties': authority.brokerSettings },
    'kafka-users': log,
    'rastro-cluster-ca-cert': { 'ca.crt': authority.certificate },
    ...Object.fromEntries(LOG_USERS.map((user) => [`kafka-user-${user}`, { password: log[user] ?? '' }])),
    'rastro-redis-users': { 'users.acl': stateUsers(root, state) },
    [STATE_ADMIN]: { password: state[STATE_ADMIN] ?? '' },
    'rastro-gateways': {
      REDIS_URL: stateUrl('gateways', state['gateways'] ?? ''), RASTRO_SECRET_PEPPER: pepper,
      ...shared, ...tablesOf('HISTORY'), ...tablesOf('PICTURES'),
    },
    'rastro-workers': {
      REDIS_URL: stateUrl('workers', state['workers'] ?? ''), RASTRO_VAULT_KEY: vault,
      ...shared, ...tablesOf('INGEST'),
    },
    'rastro-operator': {
      REDIS_URL: stateUrl('operator', state['operator'] ?? ''),
      RASTRO_SECRET_PEPPER: pepper, RASTRO_VAULT_KEY: vault, ...shared, ...tablesOf('ADMIN'),
      ANALYST_PASSWORD: tables['ANALYST'] ?? '',
    },
    'rastro-clickhouse': Object.assign({}, ...Object.keys(tables).map(tablesOf)),
    'rastro-clickhouse-backups': {
      CLICKHOUSE_BACKUP_ENDPOINT: 'none', CLICKHOUSE_BACKUP_ACCESS_KEY_ID: 'none',
      CLICKHOUSE_BACKUP_SECRET_ACCESS_KEY: 'none',
    },
    'rastro-backup': tablesOf('BACKUP'),
  };
}

/** Where the state store is, for one of its users. */
export function stateUrl(user: string, password: string): string {
  return `redis://${user}:${password}@redis:6379`;
}

/** A password that needs no escaping anywhere. */
export function word(): string {
  return randomBytes(18).toString('hex');
}

/** The users of the state store as the product has them, and one who may change them. */
function stateUsers(root: string, passwords: Readonly<Record<string, string>>): string {
  const users = readFileSync(join(root, 'infra/redis/generated/single.acl'), 'utf8')
    .replace(/#SHA256_OF_THE_PASSWORD_OF_(\w+)/g, (_all, user: string) => (
      `#${hashOf(passwords[user.toLowerCase()] ?? '')}`));
  return `${users.trimEnd()}\nuser ${STATE_ADMIN} on #${hashOf(passwords[STATE_ADMIN] ?? '')} ~* &* +@all\n`;
}

/** A password as a file of users has it. */
export function hashOf(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}

function key(): string {
  return randomBytes(32).toString('base64');
}

function byName(names: readonly string[], draw: () => string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, draw()]));
}
