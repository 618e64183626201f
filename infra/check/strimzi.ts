import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce, MAVEN_LOCK, type Cache } from '../local/cache.ts';
import { run } from '../local/command.ts';
import { maven, requireMaven } from '../local/tools.ts';

/** The operator that the manifests are for, and the Kafka that it takes. */
export const STRIMZI = { version: '1.2.0', kafka: ['4.3.0', '4.3.1'] } as const;

const JAVA_MAJOR_MIN = 21;
const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const GENERATOR = 'io.strimzi.crdgenerator.CrdGenerator';
const MODEL = 'io.strimzi.api.kafka.model';
const KINDS = {
  'kafka.yaml': 'kafka.Kafka', 'kafkanodepool.yaml': 'nodepool.KafkaNodePool',
  'kafkatopic.yaml': 'topic.KafkaTopic', 'kafkauser.yaml': 'user.KafkaUser',
} as const;
/** Where Debian puts each Java beside the one that is called `java`. */
const JAVA_FOLDERS = '/usr/lib/jvm';

/** Folder of Strimzi's own definitions, written by its own generator, a file for each. */
export async function strimziDefinitions(cache: Cache): Promise<string> {
  const name = `strimzi-definitions-${STRIMZI.version}`;
  return buildOnce(cache, name, MAVEN_LOCK, async (draft) => {
    const java = await newerJava();
    await requireMaven(cache);
    const build = join(draft, 'build');
    mkdirSync(build);
    writeFileSync(join(build, 'pom.xml'), pom());
    await maven(build, [COPY_DEPENDENCIES, '-DincludeScope=runtime', '-DoutputDirectory=jars']);
    const kinds = Object.entries(KINDS).map(([file, kind]) => `${MODEL}.${kind}=${join(draft, file)}`);
    await run(java, [
      '-cp', join(build, 'jars', '*'), GENERATOR, '--yaml', '--label', 'app:strimzi', ...kinds,
    ], { deadlineMs: 120_000 });
  });
}

function pom(): string {
  const dependencies = ['api', 'crd-generator'].map((artifact) => (
    `<dependency><groupId>io.strimzi</groupId><artifactId>${artifact}</artifactId>`
    + `<version>${STRIMZI.version}</version></dependency>`
  )).join('');
  return '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
    + '<groupId>rastro</groupId><artifactId>definitions</artifactId><version>1</version>'
    + `<packaging>pom</packaging><dependencies>${dependencies}</dependencies></project>`;
}

/** The first Java that the generator runs on; throws one sentence when there is none. */
async function newerJava(): Promise<string> {
  const home = process.env['JAVA_HOME'];
  const others = existsSync(JAVA_FOLDERS)
    ? readdirSync(JAVA_FOLDERS).map((name) => join(JAVA_FOLDERS, name, 'bin', 'java')) : [];
  for (const java of [...(home === undefined ? [] : [join(home, 'bin', 'java')]), 'java', ...others]) {
    const text = await run(java, ['-version'], { deadlineMs: 20_000 }).catch(() => '');
    if (Number.parseInt(/version "(\d+)/.exec(text)?.[1] ?? '0', 10) >= JAVA_MAJOR_MIN) return java;
  }
  throw new Error(`check:infra needs Java ${JAVA_MAJOR_MIN} or later, as \`java\` or in JAVA_HOME.`);
}
