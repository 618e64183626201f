import { join } from 'node:path';
import type { BenchSubject } from '../subject.ts';
import { startPeer } from './start-peer.ts';

/** What a peer that writes to the log needs to know. */
export interface PeerTopic {
  readonly brokers: string;
  readonly topic: string;
  readonly logged: () => Promise<bigint>;
}

/** The bare server that every row is compared with. */
export function startFloor(port: number): Promise<BenchSubject> {
  return startNode('floor', port, {});
}

/** A build of common Node packages: `usual` as most people write it, `lean` as the careful do. */
export function startNodePeer(
  name: 'usual' | 'lean', port: number, { brokers, topic, logged }: PeerTopic,
): Promise<BenchSubject> {
  return startNode(name, port, { BROKERS: brokers, TOPIC: topic }, logged);
}

function startNode(
  name: string, port: number, env: Readonly<Record<string, string>>,
  logged?: () => Promise<bigint>,
): Promise<BenchSubject> {
  return startPeer({
    name, port, path: '/locations',
    command: process.execPath, args: [join(import.meta.dirname, 'node', `${name}.ts`)],
    env: { ...env, PORT: String(port), NODE_ENV: 'production' },
    ...(logged === undefined ? {} : { logged }),
  });
}
