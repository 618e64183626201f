import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cache } from './cache.ts';
import { run, runs } from './command.ts';
import { lockWhenFree } from './lock.ts';

const JAVA_MAJOR_MIN = 17;
const APT_MS_MAX = 300_000;

/**
 * The version of the Java that is there, such as `17.0.15`, installed first when it is missing and
 * this user may; throws one sentence when there is none from 17 on.
 */
export async function requireJava(cache: Cache): Promise<string> {
  const found = await javaVersion();
  if (isNewEnough(found)) return found;
  await installWithApt(cache, ['default-jdk-headless']);
  const installed = await javaVersion();
  if (isNewEnough(installed)) return installed;
  throw new Error(
    `Kafka and the schema registry need Java ${JAVA_MAJOR_MIN} or later: install a JDK, or name ` +
      'running ones by KAFKA_BROKERS and SCHEMA_REGISTRY_URL.',
  );
}

/** Makes sure that Maven and javac are there: needed only to fill the cache, never to start. */
export async function requireMaven(cache: Cache): Promise<void> {
  const isThere = async (): Promise<boolean> =>
    (await runs('javac', ['-version'])) && (await runs('mvn', ['-version']));
  if (await isThere()) return;
  await installWithApt(cache, ['default-jdk-headless', 'maven']);
  if (await isThere()) return;
  throw new Error(
    'Kafka and the schema registry are brought by Maven and a JDK: install both (javac and mvn), ' +
      'or name running parts by KAFKA_BROKERS and SCHEMA_REGISTRY_URL.',
  );
}

/** Installs Debian packages when this user may; false when it may not or apt-get refuses. */
export async function installWithApt(cache: Cache, packages: readonly string[]): Promise<boolean> {
  if (process.getuid?.() !== 0 || !(await runs('apt-get', ['--version']))) return false;
  mkdirSync(cache.dir, { recursive: true });
  const release = await lockWhenFree(join(cache.dir, 'apt.lock'), cache.waitMsMax);
  try {
    cache.log('info', `installing ${packages.join(' and ')} with apt-get`);
    const options = {
      deadlineMs: APT_MS_MAX,
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    };
    const apt = ['-o', 'DPkg::Lock::Timeout=120', '-qq', '-y'];
    await run('apt-get', [...apt, 'update'], options);
    await run('apt-get', [...apt, 'install', '--no-install-recommends', ...packages], options);
    return true;
  } catch (error) {
    cache.log('warning', (error as Error).message);
    return false;
  } finally {
    release();
  }
}

/** Runs Maven quietly in a directory. */
export async function maven(cwd: string, args: readonly string[]): Promise<void> {
  await run('mvn', ['-B', '-q', ...args], { cwd, deadlineMs: 600_000 });
}

async function javaVersion(): Promise<string | undefined> {
  const text = await run('java', ['-version'], { deadlineMs: 20_000 }).catch(() => '');
  return /version "([^"]+)"/.exec(text)?.[1];
}

function isNewEnough(version: string | undefined): version is string {
  return version !== undefined && Number.parseInt(version, 10) >= JAVA_MAJOR_MIN;
}
