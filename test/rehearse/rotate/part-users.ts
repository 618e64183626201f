import { Admin } from '@platformatic/kafka';
import { Redis } from 'ioredis';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import { PROCESS_NAMES, type ProcessName } from '../../faults/cluster/cluster-processes.ts';
import {
  addLogUser, loginEnv, removeLogUser, type LogRole,
} from '../../faults/cluster/log-users.ts';
import type { FaultEnv } from '../../faults/scenario.ts';
import { restartAs, step } from '../steps.ts';

/** A password for the users of gateways and of workers. */
export type RolePasswords = Readonly<Record<LogRole, string>>;

const ROLES: readonly LogRole[] = ['gateways', 'workers'];
const LOGIN_MS_MAX = 5_000;

/**
 * The log knows one password a user, so each role gets a second user with the same rights; when
 * every process has changed to it, the first one is taken away.
 */
export async function rotateLogUsers(faultEnv: FaultEnv, passwords: RolePasswords): Promise<void> {
  const { cluster } = faultEnv;
  const { brokers } = cluster.addresses;
  const loginOf = (role: LogRole) => ({ name: `${role}-2`, password: passwords[role] });
  for (const role of ROLES) {
    await addLogUser(brokers, cluster.kafka.admin, role, loginOf(role));
  }
  await restartEach(faultEnv, 'log: every process is another user', (role) =>
    loginEnv(loginOf(role)));
  for (const role of ROLES) await removeLogUser(brokers, role);
  await mustBeRefused('the log', () => listTopics(cluster, 'gateways',
    cluster.secrets.logPasswords.gateways));
}

/** The state store knows several passwords a user: the second comes before the first goes. */
export async function rotateStateUsers(
  faultEnv: FaultEnv, passwords: RolePasswords,
): Promise<void> {
  const { cluster } = faultEnv;
  for (const role of ROLES) await cluster.raw.call('ACL', 'SETUSER', role, `>${passwords[role]}`);
  await restartEach(faultEnv, 'state store: every process has its second password', (role) => {
    const url = new URL(urlOf(cluster, role));
    url.password = passwords[role];
    return { REDIS_URL: url.href };
  });
  for (const role of ROLES) {
    await cluster.raw.call('ACL', 'SETUSER', role, `<${new URL(urlOf(cluster, role)).password}`);
  }
  await cluster.raw.call('ACL', 'SAVE');
  await mustBeRefused('the state store', () => ping(urlOf(cluster, 'gateways')));
}

/** Restarts every process with further settings, gateways and workers each with their own. */
async function restartEach(
  faultEnv: FaultEnv, what: string, envOf: (role: LogRole) => Record<string, string>,
): Promise<void> {
  await step(faultEnv, what, async () => {
    for (const name of PROCESS_NAMES) {
      await restartAs(faultEnv.cluster, name, { env: envOf(roleOf(name)) });
    }
  });
}

/** Whose rights a process has. */
export function roleOf(name: ProcessName): LogRole {
  return name.startsWith('gateway') ? 'gateways' : 'workers';
}

/** Throws when what must not work any more still works. */
export async function mustBeRefused(what: string, work: () => Promise<unknown>): Promise<void> {
  const isIn = await work().then(() => true, () => false);
  if (isIn) throw new Error(`The old password still opens ${what}.`);
}

function urlOf({ env }: TestCluster, role: LogRole): string {
  return role === 'gateways' ? env.REDIS_GATEWAYS_URL : env.REDIS_WORKERS_URL;
}

async function listTopics(
  { log }: TestCluster, username: string, password: string,
): Promise<unknown> {
  const admin = new Admin({
    clientId: 'rehearse', bootstrapBrokers: log.logins.split(','), retries: 0,
    sasl: { mechanism: 'SCRAM-SHA-512', username, password },
    connectTimeout: LOGIN_MS_MAX, requestTimeout: LOGIN_MS_MAX, timeout: LOGIN_MS_MAX,
  });
  try {
    return await admin.listTopics({});
  } finally {
    await admin.close();
  }
}

async function ping(url: string): Promise<unknown> {
  const redis = new Redis(url, {
    lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null,
    connectTimeout: LOGIN_MS_MAX,
  });
  redis.on('error', () => undefined); // The refusal comes as a rejection as well.
  try {
    await redis.connect();
    return await redis.ping();
  } finally {
    redis.disconnect();
  }
}
