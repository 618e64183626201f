import { createHash, randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildOnce, MAVEN_LOCK, type Cache } from './cache.ts'
import { run } from './command.ts'
import { kafkaProperties, type KafkaNode } from './kafka-properties.ts'
import type { Log, Part } from './part.ts'
import { freePorts } from './ports.ts'
import { probeKafka } from './probes.ts'
import { supervise } from './supervise.ts'
import { ensureJavaAndMaven, javaVersion, maven } from './tools.ts'

/** The jars of the broker, and the archive of its loaded classes (shorter start). */
export type KafkaDistribution = { readonly classPath: string; readonly archive: string }

/** What one node of a cluster needs; a single broker is a cluster of one. */
export type KafkaNodeOptions = {
  readonly node: KafkaNode
  readonly cluster: readonly KafkaNode[]
  /** State of this node; must not be shared with another node. */
  readonly dir: string
  readonly clusterId: string
  readonly heapBytesMax?: string
  readonly log: Log
}

const VERSION = '4.3.1'
const COPY_DEPENDENCIES =
  'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'
const READY_MS_MAX = 60_000
const STOP_MS_MAX = 8_000
const SOURCE_DIR = join(import.meta.dirname, 'kafka')

/** Starts one supervised KRaft node and waits until the cluster lists it as live. */
export function startKafkaNode(
  distribution: KafkaDistribution,
  options: KafkaNodeOptions,
): Promise<Part> {
  const { node, cluster, dir } = options
  mkdirSync(dir, { recursive: true })
  const propertiesFile = join(dir, 'server.properties')
  writeFileSync(propertiesFile, kafkaProperties(node, cluster, join(dir, 'log')))
  const archive = ['-Xshare:auto', `-XX:SharedArchiveFile=${distribution.archive}`]
  return supervise({
    child: {
      name: cluster.length === 1 ? 'kafka' : `kafka-${node.nodeId}`,
      dir,
      command: 'java',
      args: [
        ...javaFlags(distribution, options.heapBytesMax ?? '384m', archive),
        `-Dkafka.cluster.id=${options.clusterId}`,
        'Launcher',
        propertiesFile,
      ],
      stopBy: 'SIGTERM',
    },
    probe: () => probeKafka('127.0.0.1', node.port, node.nodeId),
    readyMsMax: READY_MS_MAX,
    stopMsMax: STOP_MS_MAX,
    log: options.log,
  })
}

/** A cluster id in Kafka's form (16 random bytes, base64url), kept with the data it belongs to. */
export function clusterIdOf(dir: string): string {
  const path = join(dir, 'cluster-id')
  if (existsSync(path)) return readFileSync(path, 'utf8')
  mkdirSync(dir, { recursive: true })
  const id = randomBytes(16).toString('base64url')
  writeFileSync(path, id)
  return id
}

/** Brings Apache Kafka into the cache: jars from Maven, our launcher, and the class archive. */
export async function kafkaDistribution(cache: Cache): Promise<KafkaDistribution> {
  await ensureJavaAndMaven(cache)
  const dir = await buildOnce(cache, `kafka-${VERSION}-${sourceHash()}`, MAVEN_LOCK, buildJars)
  const jars = readdirSync(join(dir, 'libs')).sort()
  const classPath = jars.map((jar) => join(dir, 'libs', jar)).join(':')
  const archiveName = `kafka-${VERSION}-${sourceHash()}-java-${await javaVersion()}`
  const archiveDir = await buildOnce(cache, archiveName, archiveName, (draft) =>
    buildArchive(classPath, draft, cache.log),
  )
  return { classPath, archive: join(archiveDir, 'classes.jsa') }
}

async function buildJars(dir: string): Promise<void> {
  const classes = join(dir, 'classes')
  for (const file of readdirSync(SOURCE_DIR)) copyFileSync(join(SOURCE_DIR, file), join(dir, file))
  await maven(dir, [COPY_DEPENDENCIES, '-DincludeScope=runtime', '-DoutputDirectory=libs'])
  const compile = ['--release', '17', '-cp', 'libs/*', '-d', classes, 'Launcher.java']
  await run('javac', compile, { cwd: dir, deadlineMs: 60_000 })
  // Named to be the last on the sorted class path; the settings of the log go with it.
  copyFileSync(join(dir, 'log4j2.properties'), join(classes, 'log4j2.properties'))
  const pack = ['cf', 'libs/zz-launcher.jar', '-C', classes, '.']
  await run('jar', pack, { cwd: dir, deadlineMs: 60_000 })
}

/** A throw-away broker runs until it is ready; ending it in order writes the archive. */
async function buildArchive(classPath: string, draft: string, log: Log): Promise<void> {
  const [port = 0, controllerPort = 0] = await freePorts(2)
  const node = { nodeId: 1, port, controllerPort }
  const dir = join(draft, 'broker')
  mkdirSync(dir, { recursive: true })
  const propertiesFile = join(dir, 'server.properties')
  writeFileSync(propertiesFile, kafkaProperties(node, [node], join(dir, 'log')))
  const archive = join(draft, 'classes.jsa')
  const part = await supervise({
    child: {
      name: 'kafka (recording its classes)',
      dir,
      command: 'java',
      args: [
        ...javaFlags({ classPath }, '384m', [`-XX:ArchiveClassesAtExit=${archive}`]),
        `-Dkafka.cluster.id=${clusterIdOf(dir)}`,
        'Launcher',
        propertiesFile,
      ],
      stopBy: 'SIGTERM',
    },
    probe: () => probeKafka('127.0.0.1', port, 1),
    readyMsMax: READY_MS_MAX,
    stopMsMax: 60_000,
    log,
  })
  await part.stop()
  if (!existsSync(archive)) log('warning', 'no class archive was written; Kafka starts slower')
  rmSync(dir, { recursive: true, force: true })
}

function javaFlags(
  distribution: Pick<KafkaDistribution, 'classPath'>,
  heapBytesMax: string,
  archive: readonly string[],
): readonly string[] {
  return [
    '-Xms64m',
    `-Xmx${heapBytesMax}`,
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-XX:-UsePerfData',
    '-Djava.awt.headless=true',
    ...archive,
    '-cp',
    distribution.classPath,
  ]
}

function sourceHash(): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(SOURCE_DIR).sort()) hash.update(readFileSync(join(SOURCE_DIR, file)))
  return hash.digest('hex').slice(0, 8)
}
