import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, MAVEN_LOCK, type Cache } from './cache.ts';
import { classArchive, type ClassArchive } from './class-archive.ts';
import { run } from './command.ts';
import { kafkaProperties, type KafkaNode } from './kafka-properties.ts';
import type { Log, Part } from './part.ts';
import { freePorts } from './ports.ts';
import { probeKafka } from './probes.ts';
import { supervise, type SupervisedSpec } from './supervise.ts';
import { maven, requireJava, requireMaven } from './tools.ts';

/** The jars of the broker in load order, and the archive of their classes. */
export type KafkaDistribution = ClassArchive & { readonly classPath: string };

/** What one node of a cluster needs; a single broker is a cluster of one. */
export type KafkaNodeOptions = {
  readonly node: KafkaNode;
  readonly cluster: readonly KafkaNode[];
  /** The same for all nodes of a cluster; see `clusterIdOf`. */
  readonly clusterId: string;
  /** State of this node; must not be shared with another node. */
  readonly dir: string;
  /** As the JVM writes it; 384m unless given, 256m is enough for one of three. */
  readonly heapMax?: string;
  readonly log: Log;
};

/** The Kafka that everything is tested with. */
export const KAFKA_VERSION = '4.3.1'; // of 4.4.0 one artifact is missing in the repository
const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const SOURCE_DIR = join(import.meta.dirname, 'kafka');

/**
 * Starts one supervised KRaft node and waits until the cluster lists it as live. The nodes of a
 * cluster must be started together: none is ready before a majority of them runs.
 */
export function startKafkaNode(
  distribution: KafkaDistribution,
  options: KafkaNodeOptions,
): Promise<Part> {
  return supervise(kafkaSpec(distribution, options));
}

function kafkaSpec(distribution: KafkaDistribution, options: KafkaNodeOptions): SupervisedSpec {
  const { node, cluster, dir } = options;
  mkdirSync(dir, { recursive: true });
  const propertiesFile = join(dir, 'server.properties');
  writeFileSync(
    propertiesFile, kafkaProperties(node, cluster, join(dir, 'log')), { mode: 0o600 },
  );
  return {
    child: {
      name: cluster.length === 1 ? 'kafka' : `kafka-${node.nodeId}`,
      dir,
      command: 'java',
      args: [
        ...['-Xms64m', `-Xmx${options.heapMax ?? '384m'}`, '-XX:+UseSerialGC'],
        ...['-XX:TieredStopAtLevel=1', '-XX:-UsePerfData', '-Djava.awt.headless=true'],
        ...distribution.jvmFlags,
        `-Dkafka.cluster.id=${options.clusterId}`,
        ...['-cp', distribution.classPath, 'Launcher', propertiesFile],
      ],
      stopBy: 'SIGTERM',
    },
    probe: () => probeKafka('127.0.0.1', node.port, node.nodeId),
    readyMsMax: 240_000,
    stopMsMax: 8_000,
    log: options.log,
  };
}

/** A cluster id in Kafka's form (16 random bytes, base64url), kept with the data it belongs to. */
export function clusterIdOf(dir: string): string {
  const path = join(dir, 'cluster-id');
  if (existsSync(path)) return readFileSync(path, 'utf8');
  mkdirSync(dir, { recursive: true });
  let id = randomBytes(16).toString('base64url');
  // With a leading dash it would be taken for an option when the directory is formatted.
  while (id.startsWith('-')) id = randomBytes(16).toString('base64url');
  writeFileSync(path, id);
  return id;
}

/** Brings Apache Kafka into the cache: jars from Maven, and our launcher. */
export async function kafkaDistribution(cache: Cache): Promise<KafkaDistribution> {
  const java = await requireJava(cache);
  const name = `kafka-${KAFKA_VERSION}-${sourceHash()}`;
  const dir = await buildOnce(cache, name, MAVEN_LOCK, async (draft) => {
    await requireMaven(cache);
    await buildJars(draft);
  });
  const jars = readdirSync(join(dir, 'libs')).sort();
  const classPath = jars.map((jar) => join(dir, 'libs', jar)).join(':');
  const archive = classArchive(cache, name, java, async (runDir, jvmFlags) => {
    const [port = 0, controllerPort = 0] = await freePorts(2);
    const node = { nodeId: 1, port, controllerPort };
    const clusterId = clusterIdOf(runDir);
    const options = { node, cluster: [node], clusterId, dir: runDir, log: cache.log };
    return kafkaSpec({ classPath, jvmFlags }, options);
  });
  return { classPath, ...archive };
}

async function buildJars(dir: string): Promise<void> {
  const classes = join(dir, 'classes');
  for (const file of readdirSync(SOURCE_DIR)) copyFileSync(join(SOURCE_DIR, file), join(dir, file));
  await maven(dir, [COPY_DEPENDENCIES, '-DincludeScope=runtime', '-DoutputDirectory=libs']);
  const compile = ['--release', '17', '-cp', 'libs/*', '-d', classes, 'Launcher.java'];
  await run('javac', compile, { cwd: dir, deadlineMs: 60_000 });
  // The broker finds the settings of its log on the class path.
  copyFileSync(join(dir, 'log4j2.properties'), join(classes, 'log4j2.properties'));
  const pack = ['cf', 'libs/zz-launcher.jar', '-C', classes, '.'];
  await run('jar', pack, { cwd: dir, deadlineMs: 60_000 });
}

/** Part of the cache's names, so that a changed launcher or pom is built again. */
function sourceHash(): string {
  const hash = createHash('sha256');
  const files = readdirSync(SOURCE_DIR).sort();
  for (const file of files) hash.update(readFileSync(join(SOURCE_DIR, file)));
  return hash.digest('hex').slice(0, 8);
}
