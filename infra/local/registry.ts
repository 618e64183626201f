import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, MAVEN_LOCK, type Cache } from './cache.ts';
import { classArchive, type ClassArchive } from './class-archive.ts';
import { run } from './command.ts';
import type { Log, Part } from './part.ts';
import { freePorts } from './ports.ts';
import { probeRegistry } from './probes.ts';
import { supervise, type SupervisedSpec } from './supervise.ts';
import { maven, requireJava, requireMaven } from './tools.ts';

/** The registry's jar (its libraries lie beside it), and the archive of its classes. */
export type RegistryDistribution = ClassArchive & { readonly jar: string };

/** Where the registry listens and its state directory. */
export type RegistryOptions = {
  readonly port: number;
  readonly dir: string;
  readonly log: Log;
};

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
  return supervise(registrySpec(distribution, options));
}

function registrySpec(
  distribution: RegistryDistribution,
  options: RegistryOptions,
): SupervisedSpec {
  const { dir, port, log } = options;
  const storage = `jdbc:h2:file:${join(dir, 'schemas')};DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=0`;
  return {
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
    readyMsMax: 240_000,
    stopMsMax: 6_000,
    log,
  };
}

/** Brings Apicurio Registry into the cache. */
export async function registryDistribution(cache: Cache): Promise<RegistryDistribution> {
  const java = await requireJava(cache);
  const name = `registry-${VERSION}`;
  const distributionDir = await buildOnce(cache, name, MAVEN_LOCK, async (draft) => {
    await requireMaven(cache);
    await unpack(draft);
  });
  const jar = join(distributionDir, `apicurio-registry-app-${VERSION}-runner.jar`);
  const archive = classArchive(cache, name, java, async (dir, jvmFlags) => {
    const [port = 0] = await freePorts(1);
    return registrySpec({ jar, jvmFlags }, { port, dir, log: cache.log });
  });
  return { jar, ...archive };
}

async function unpack(dir: string): Promise<void> {
  const artifact = `io.apicurio:apicurio-registry-app:${VERSION}:tar.gz:all`;
  await maven(dir, [COPY, `-Dartifact=${artifact}`, '-DoutputDirectory=.']);
  const archive = `apicurio-registry-app-${VERSION}-all.tar.gz`;
  await run('tar', ['xzf', archive], { cwd: dir, deadlineMs: 120_000 });
  rmSync(join(dir, archive));
}
