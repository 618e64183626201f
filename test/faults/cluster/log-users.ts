import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { alterUserScramCredentialsV0, Connection, ScramMechanisms } from '@platformatic/kafka';
import { grantsOfCatalog } from '../../../infra/kafka/grants.ts';
import type { LogAdmin } from '../../../services/adapters/kafka/admin.ts';

/** Whose rights at the log a user gets. */
export type LogRole = 'gateways' | 'workers';

/** A user of the log with its password. */
export interface LogUserLogin {
  readonly name: string;
  readonly password: string;
}

const MECHANISM = ScramMechanisms.SCRAM_SHA_512;
const ITERATIONS = 4_096;
const SALT_BYTES = 24;
const KEY_BYTES = 64;

/** Makes a user with the rights of a role while the brokers run, as an administrator would. */
export async function addLogUser(
  brokers: readonly string[], admin: Pick<LogAdmin, 'setGrants'>, role: LogRole,
  { name, password }: LogUserLogin,
): Promise<void> {
  const salt = randomBytes(SALT_BYTES);
  await alterUsers(brokers, [], [{
    name, mechanism: MECHANISM, iterations: ITERATIONS, salt,
    saltedPassword: pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, 'sha512'),
  }]);
  const grants = grantsOfCatalog().filter(({ user }) => user === role);
  await admin.setGrants(grants.map((grant) => ({ ...grant, user: name })));
}

/** Removes a user: who is logged in stays so, and no new login by that name is possible. */
export async function removeLogUser(brokers: readonly string[], name: string): Promise<void> {
  await alterUsers(brokers, [{ name, mechanism: MECHANISM }], []);
}

/** The settings with which a process logs in as a user. */
export function loginEnv({ name, password }: LogUserLogin): Record<string, string> {
  return {
    KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
    KAFKA_SASL_USERNAME: name,
    KAFKA_SASL_PASSWORD: password,
  };
}

async function alterUsers(
  brokers: readonly string[],
  ...changes: Parameters<typeof alterUserScramCredentialsV0.createRequest>
): Promise<void> {
  const [first = ''] = brokers;
  const { hostname, port } = new URL(`kafka://${first}`);
  const connection = new Connection('faults-users');
  await connection.connect(hostname, Number(port));
  try {
    // A failure rejects: the parser of answers throws on every code but 0.
    await alterUserScramCredentialsV0.api.async(connection, ...changes);
  } finally {
    await connection.close();
  }
}
