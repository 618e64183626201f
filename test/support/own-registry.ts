import { request } from 'node:https';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { childEnvironment, lastOutput, startChild, type Child } from '../../infra/local/child.ts';
import { freePorts } from '../../infra/local/ports.ts';
import { registryDistribution } from '../../infra/local/registry.ts';
import { waitFor } from '../../infra/local/wait.ts';
import type { TestAuthority } from './tls-front.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
const SETTINGS = join(ROOT_DIR, 'infra/kubernetes/components/registry/registry.properties');
const READY_MS_MAX = 300_000;

/** What a Pod of the component `registry` gets in a cluster. */
export interface RegistryPod {
  readonly brokers: string;
  /** How it logs in at the brokers, as Kafka's own client writes it. */
  readonly loginAtBrokers: string;
  /** Password of the user `rastro` of the registry. */
  readonly password: string;
  readonly authority: TestAuthority;
}

/** A registry with the settings of the component, and nothing on a disk of its own. */
export interface OwnRegistry {
  readonly url: string;
  /** Ends it by SIGKILL; all that it had beside the log goes too. */
  readonly kill: () => Promise<void>;
}

/** Starts one; the brokers of a test have no TLS, and it must not take the port of another one. */
export async function startOwnRegistry(pod: RegistryPod): Promise<OwnRegistry> {
  const { jar, jvmFlags } = await registryDistribution({
    dir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
    log: () => undefined, waitMsMax: READY_MS_MAX,
  });
  const [port = 0, plainPort = 0] = await freePorts(2);
  const dir = mkdtempSync(join(tmpdir(), 'rastro-registry-'));
  const scratch = join(dir, 'scratch');
  mkdirSync(scratch);
  const child = startChild({
    name: 'registry', dir, command: 'java', stopBy: 'SIGTERM',
    args: [
      '-Xmx192m', '-Xss512k', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...jvmFlags,
      `-Djava.io.tmpdir=${scratch}`, `-Dapicurio.storage.snapshot.location=${scratch}`,
      '-Dquarkus.http.host=127.0.0.1', `-Dquarkus.http.ssl-port=${port}`,
      `-Dquarkus.http.port=${plainPort}`,
      '-Dapicurio.kafka.common.security.protocol=SASL_PLAINTEXT',
      '-Dapicurio.kafka.common.sasl.mechanism=PLAIN',
      `-Dquarkus.http.ssl.certificate.files=${pod.authority.server.cert}`,
      `-Dquarkus.http.ssl.certificate.key-files=${pod.authority.server.key}`,
      '-jar', jar,
    ],
    env: {
      ...childEnvironment(), SMALLRYE_CONFIG_LOCATIONS: SETTINGS, KAFKA_BROKERS: pod.brokers,
      KAFKA_SASL_JAAS_CONFIG: pod.loginAtBrokers, SCHEMA_REGISTRY_PASSWORD: pod.password,
    },
  });
  const kill = async (): Promise<void> => {
    child.kill();
    await child.ended;
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await isReady(port, pod, child, dir);
  } catch (error) {
    const said = lastOutput(dir);
    await kill();
    throw new Error(`${(error as Error).message} ${said}`, { cause: error });
  }
  return { url: `https://127.0.0.1:${port}/apis/ccompat/v7`, kill };
}

async function isReady(
  port: number, { authority }: RegistryPod, child: Child, dir: string,
): Promise<void> {
  await waitFor(() => statusOf(`https://127.0.0.1:${port}/health/ready`, authority)
    .then((status) => status === 200, () => false), {
    what: 'A registry', deadlineMs: READY_MS_MAX, everyMs: 250,
    hopeless: () => (child.outcome() === undefined ? undefined : lastOutput(dir)),
  });
}

/** The status of a GET, with or without a login (`name:password`). */
export function statusOf(url: string, { ca }: TestAuthority, auth?: string): Promise<number> {
  return new Promise((answered, failed) => {
    const options = { ca: readFileSync(ca), agent: false, ...(auth === undefined ? {} : { auth }) };
    request(url, options, (response) => {
      response.resume();
      answered(response.statusCode ?? 0);
    }).once('error', failed).end();
  });
}
