import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOf } from '../../../schemas/bundles.ts';
import type { BenchSubject } from '../subject.ts';
import type { PeerTopic } from './node-peers.ts';
import { startPeer } from './start-peer.ts';

const DIR = join(import.meta.dirname, 'camel');
const MAVEN = [
  '-B', '-q', 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies',
  '-DincludeScope=runtime',
];
const HEAP = '1g';
const PATH = '/locations';
const WRONG_METHOD = 405;

/**
 * Apache Camel: HTTP in, Kafka out with acks=all before the answer; `schema` checks bodies against
 * our schema with Camel's own validator, `plain` checks nothing.
 */
export function startCamel(
  kind: 'plain' | 'schema', port: number, cacheDir: string, { brokers, topic, logged }: PeerTopic,
): Promise<BenchSubject> {
  const libs = installCamel(cacheDir);
  mkdirSync(cacheDir, { recursive: true });
  const schema = join(cacheDir, 'locations-body.json');
  writeFileSync(schema, JSON.stringify(bundleOf('LocationsBody')));
  return startPeer({
    name: kind === 'schema' ? 'camel+schema' : 'camel', port, path: PATH, logged,
    isReady: () => hasRoute(port),
    command: 'java',
    args: [
      `-Xms${HEAP}`, `-Xmx${HEAP}`, '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
      '-cp', `${DIR}:${libs}/*`, 'org.apache.camel.main.Main',
    ],
    env: {
      BROKERS: brokers, TOPIC: topic, PORT: String(port), SCHEMA: schema,
      ROUTES: join(DIR, `${kind}.camel.yaml`),
    },
  });
}

/** It listens seconds before it knows its route, which then takes no GET. */
async function hasRoute(port: number): Promise<boolean> {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}${PATH}`);
    return status === WRONG_METHOD;
  } catch {
    return false;
  }
}

/** Brings Camel's libraries by Maven once; a half copy is never taken for a whole one. */
function installCamel(cacheDir: string): string {
  const libs = join(cacheDir, 'camel-4.14.0');
  if (existsSync(libs)) return libs;
  const half = `${libs}.half`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  execFileSync('mvn', [
    ...MAVEN, '-f', join(DIR, 'pom.xml'), `-DoutputDirectory=${half}`,
  ], { stdio: ['ignore', 'inherit', 'inherit'] });
  renameSync(half, libs);
  return libs;
}
