import type { Redis } from 'ioredis';
import { waitFor } from '../../infra/local/wait.ts';

/** Nodes of a cluster: three primaries, then the replica of each. */
export const NODES = 6;

const PRIMARIES = 3;
const SLOTS = 16_384;
const JOIN_MS_MAX = 30_000;

/** A node that runs, with a connection of its own. */
export interface JoiningNode {
  readonly url: string;
  readonly raw: Redis;
  /** Its name in the cluster. */
  readonly id: string;
}

type Address = readonly [string, number, ...unknown[]];

/** A line of `CLUSTER SLOTS`: first and last slot, the primary, and its replica if it has one. */
export type SlotRange = readonly [number, number, Address, Address | undefined, ...unknown[]];

/** Makes one Redis Cluster of six servers, and waits until each knows all of it. */
export async function joinNodes(
  nodes: readonly JoiningNode[], busPorts: readonly number[],
): Promise<void> {
  for (const [at, { raw, url }] of nodes.entries()) {
    await raw.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1);
    await nodes[0]?.raw.call('CLUSTER', 'MEET', '127.0.0.1', new URL(url).port, busPorts[at] ?? 0);
    if (at >= PRIMARIES) continue;
    const [from, to] = [at, at + 1].map((n) => Math.floor(n * SLOTS / PRIMARIES));
    await raw.call('CLUSTER', 'ADDSLOTSRANGE', from ?? 0, (to ?? 0) - 1);
  }
  for (const [at, { raw }] of nodes.entries()) {
    await until('The meeting of all nodes', () => hasMetAll(raw));
    const primary = nodes[at - PRIMARIES];
    if (primary !== undefined) await raw.call('CLUSTER', 'REPLICATE', primary.id);
  }
  for (const { raw } of nodes) await until('The cluster as each node sees it', () => isWhole(raw));
}

async function hasMetAll(raw: Redis): Promise<boolean> {
  const known = String(await raw.call('CLUSTER', 'NODES')).trim().split('\n');
  return known.filter((line) => !line.includes('handshake')).length === NODES;
}

async function isWhole(raw: Redis): Promise<boolean> {
  const info = String(await raw.call('CLUSTER', 'INFO'));
  const ranges = await raw.call('CLUSTER', 'SLOTS') as readonly SlotRange[];
  const replication = await raw.info('replication');
  return info.includes('cluster_state:ok')
    && (replication.includes('role:master') || replication.includes('master_link_status:up'))
    && ranges.length === PRIMARIES && ranges.every((range) => range.length === 4);
}

function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  return waitFor(condition, { what, deadlineMs: JOIN_MS_MAX, everyMs: 20 });
}
