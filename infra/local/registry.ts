import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, MAVEN_LOCK, type Cache } from './cache.ts';
import { classArchiveFlags, RECORDING_STOP_MS_MAX } from './class-archive.ts';
import { run } from './command.ts';
import type { Log, Part } from './part.ts';
import { freePorts } from './ports.ts';
import { probeRegistry } from './probes.ts';
import { supervise } from './supervise.ts';
import { maven, requireJava, requireMaven } from './tools.ts';

/** The registry's jar (its libraries lie beside it), and the JVM flags that belong to it. */
export type RegistryDistribution = {
  readonly jar: string
  readonly jvmFlags: readonly string[]
}

/** Where the registry listens and its state directory. */
export type RegistryOptions = {
  readonly port: number
  readonly dir: string
  readonly stopMsMax?: number
  readonly log: Log
}

const VERSION = '3.0.9'; // 3.1 is not published as a package; 3.3 needs Java 21
// Version 2.8 on purpose: later ones read the artifact's parent, which is not published.
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:2.8:copy';

/** The Confluent-compatible base address of a registry on this port. */
export function registryUrl(port: number): string {
  return `http://127.0.0.1:${port}/apis/ccompat/v7`;
}

/**
 * Starts a supervised Apicurio registry with file storage. WRITE_DELAY=0 is vital: without it a
 * kill -9 lost an acknowledged schema and gave its id to another one.
 */
export function startRegistry(
  distribution: RegistryDistribution,
  options: RegistryOptions,
): Promise<Part> {
  const { dir, port, log } = options;
  const storage = `jdbc:h2:file:${join(dir, 'schemas')};DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=0`;
  return supervise({
    child: {
      name: 'registry',
      dir,
      command: 'java',
      args: [
        ...['-Xms32m', '-Xmx112m', '-Xss512k', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
        ...['-XX:-UsePerfData', '-Djava.awt.headless=true'],
        ...distribution.jvmFlags,
        '-Dquarkus.http.host=127.0.0.1',
        `-Dquarkus.http.port=${port}`,
        '-Dapicurio.datasource.jdbc.initial-size=1',
        '-Dapicurio.datasource.jdbc.min-size=1',
        '-Dapicurio.datasource.jdbc.max-size=10',
        `-Dapicurio.datasource.url=${storage}`,
        ...['-jar', distribution.jar],
      ],
      stopBy: 'SIGTERM',
    },
    probe: () => probeRegistry(registryUrl(port)),
    readyMsMax: 90_000,
    stopMsMax: options.stopMsMax ?? 6_000,
    log,
  });
}

/** Brings Apicurio Registry into the cache, and its class archive. */
export async function registryDistribution(cache: Cache): Promise<RegistryDistribution> {
  const java = await requireJava(cache);
  const name = `registry-${VERSION}`;
  const distributionDir = await buildOnce(cache, name, MAVEN_LOCK, async (draft) => {
    await requireMaven(cache);
    await unpack(draft);
  });
  const jar = join(distributionDir, `apicurio-registry-app-${VERSION}-runner.jar`);
  const jvmFlags = await classArchiveFlags(cache, name, java, async (dir, flags) => {
    const [port = 0] = await freePorts(1);
    const options = { port, dir, stopMsMax: RECORDING_STOP_MS_MAX, log: () => {} };
    return startRegistry({ jar, jvmFlags: flags }, options);
  });
  return { jar, jvmFlags };
}

async function unpack(dir: string): Promise<void> {
  const artifact = `io.apicurio:apicurio-registry-app:${VERSION}:tar.gz:all`;
  await maven(dir, [COPY, `-Dartifact=${artifact}`, '-DoutputDirectory=.']);
  const archive = `apicurio-registry-app-${VERSION}-all.tar.gz`;
  await run('tar', ['xzf', archive], { cwd: dir, deadlineMs: 120_000 });
  rmSync(join(dir, archive));
}
