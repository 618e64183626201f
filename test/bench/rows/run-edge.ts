import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { openBenchLog, type BenchLog } from '../bench-log.ts';
import { stackPids, type BenchCluster } from '../cluster.ts';
import { pinApart } from '../measure/pin.ts';
import { startCamel } from '../peers/camel.ts';
import { startNginx } from '../peers/nginx.ts';
import { startFloor, startNodePeer, type PeerTopic } from '../peers/node-peers.ts';
import { ourGateway, startOurGateway } from '../peers/our-gateways.ts';
import type { BenchSubject } from '../subject.ts';
import { measureEdge, type EdgePlan, type EdgeRow } from './edge.ts';

/** Names by which peers are asked for; those of `rastro:` are our own code in another way. */
export const PEERS = [
  'nginx', 'usual', 'lean', 'camel', 'camel+schema',
  'rastro:kafkajs', 'rastro:platformatic', 'rastro:live',
] as const;

/** One peer. */
export type PeerName = (typeof PEERS)[number];

/** Peers that are measured when none is named: those of others. */
export const PEERS_OF_OTHERS = PEERS.filter((name) => !name.startsWith('rastro:'));

/** Ports that one subject may take. */
const PORTS_EACH = 2;

/**
 * Long enough for a subject that starts cold to be compiled where it is hot: what is measured is a
 * service that runs for days.
 */
const FIRST_WARM_UP = { lines: 512, locations: 10, rounds: 1, roundMs: 500 };
const FIRST_WARM_UP_MS = 8_000;

/** How many connections post how much at a time. */
export type EdgeSize = Pick<EdgePlan, 'lines' | 'locations'>;

/** What is measured at the edge. */
export interface EdgeRowWishes extends Omit<EdgePlan, keyof EdgeSize> {
  readonly peers: readonly PeerName[];
  readonly sizes: readonly EdgeSize[];
  readonly cacheDir: string;
  readonly firstPort: number;
  readonly onRow: (row: EdgeRow) => void;
}

/** The floor, our gateway and the peers, alive together and measured by turns; workers are off. */
export async function runEdge(
  cluster: BenchCluster, wishes: EdgeRowWishes,
): Promise<readonly EdgeRow[]> {
  const log = openBenchLog(cluster.local.stack.env.KAFKA_BROKERS.split(','));
  const subjects: BenchSubject[] = [];
  const rows: EdgeRow[] = [];
  try {
    subjects.push(await startFloor(wishes.firstPort), ourGateway(cluster, log));
    for (const [at, name] of wishes.peers.entries()) {
      const port = wishes.firstPort + 1 + PORTS_EACH * at;
      subjects.push(await startNamed(name, port, cluster, log, wishes.cacheDir));
    }
    pinApart(subjects.flatMap((subject) => subject.pids()), stackPids(cluster));
    await measureEdge(subjects, cluster.senders, {
      ...wishes, ...FIRST_WARM_UP, warmUpMs: FIRST_WARM_UP_MS,
    });
    for (const size of wishes.sizes) {
      const measured = await measureEdge(subjects, cluster.senders, { ...wishes, ...size });
      for (const row of measured) wishes.onRow(row);
      rows.push(...measured);
    }
    return rows;
  } finally {
    for (const subject of subjects) await subject.close();
    await log.close();
  }
}

async function startNamed(
  name: PeerName, port: number, cluster: BenchCluster, log: BenchLog, cacheDir: string,
): Promise<BenchSubject> {
  mkdirSync(cacheDir, { recursive: true });
  const topic = `bench.${name.replace(/[+:]/, '-')}`;
  await log.makeTopic(topic);
  const at: PeerTopic = {
    brokers: cluster.local.stack.env.KAFKA_BROKERS, topic, logged: () => log.recordsOf(topic),
  };
  switch (name) {
    case 'nginx': return startNginx(port, join(cacheDir, 'nginx'));
    case 'camel': return startCamel('plain', port, join(cacheDir, 'camel'), at);
    case 'camel+schema': return startCamel('schema', port, join(cacheDir, 'camel'), at);
    case 'usual': case 'lean': return startNodePeer(name, port, at);
    case 'rastro:kafkajs': case 'rastro:platformatic': case 'rastro:live':
      return startOurGateway(name, port, cluster, log);
  }
}
