import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../../infra/local/ports.ts';
import type { SlotRange } from '../../support/join-nodes.ts';
import { usersOf } from '../../support/own-redis-cluster.ts';
import { startOwnRedis, type OwnRedis } from '../../support/own-redis.ts';

const NODES = 6;
const JOIN = resolve(import.meta.dirname, '../../../infra/kubernetes/components/redis-cluster/join.sh');
const WAIT = { timeout: 240_000, interval: 200 };

// The script of components/redis-cluster, as the container `join` of each Pod runs it.
describe('six nodes of Redis that join by their script', () => {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-join-'));
  const nodes: OwnRedis[] = [];
  const joins: ChildProcess[] = [];
  let peers = '';

  const dataOf = (at: number): string => join(dir, `node-${at}`);
  const envOf = (at: number): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'], NODE: String(at), PEERS: peers, REDISCLI_AUTH: 'joiner',
    EVERY_SECONDS: '1',
  });
  const isReady = (at: number): Promise<boolean> => new Promise((answer) => {
    execFile('sh', [JOIN, 'ready'], { env: envOf(at) }, (error) => { answer(error === null); });
  });
  const areReady = async (): Promise<boolean> => (
    (await Promise.all(nodes.map((_node, at) => isReady(at)))).every((each) => each));
  const portOf = ({ url }: OwnRedis): number => Number(new URL(url).port);
  const at = (number: number): OwnRedis => {
    const node = nodes[number];
    if (node === undefined) throw new Error(`There is no node ${number}.`);
    return node;
  };
  /** Ports of the primary and of its replicas, for each range of slots, as one node sees it. */
  const shards = async (asked: OwnRedis): Promise<readonly (readonly number[])[]> => (
    (await asked.raw.call('CLUSTER', 'SLOTS') as readonly SlotRange[])
      .toSorted(([a], [b]) => a - b)
      .map(([, , ...those]) => those.map((one) => (one as readonly [string, number])[1]))
  );

  beforeAll(async () => {
    const users = join(dir, 'users.acl');
    writeFileSync(users, usersOf('cluster'));
    const busPorts = await freePorts(NODES);
    for (const [number, busPort] of busPorts.entries()) {
      mkdirSync(dataOf(number));
      nodes.push(await startOwnRedis(
        '--dir', dataOf(number), '--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1',
        '--cluster-port', `${busPort}`, '--cluster-node-timeout', '1500', '--aclfile', users,
        '--masteruser', 'replica', '--masterauth', 'replica', '--repl-diskless-sync-delay', '0',
        '--cluster-allow-replica-migration', 'no',
      ));
    }
    peers = nodes.map((node, number) => (
      `127.0.0.1:${portOf(node)}:${busPorts[number] ?? 0}`)).join(' ');
    for (const number of nodes.keys()) {
      joins.push(spawn('sh', [JOIN], { env: envOf(number), stdio: 'ignore' }));
    }
  }, 120_000);

  afterAll(async () => {
    for (const child of joins) child.kill();
    await Promise.all(nodes.map((node) => node.close()));
    rmSync(dir, { recursive: true, force: true });
  });

  it('become three primaries, each with its own replica', async () => {
    await expect.poll(areReady, WAIT).toBe(true);
    await expect.poll(() => shards(at(0)), WAIT).toEqual([0, 1, 2].map((number) => (
      [portOf(at(number)), portOf(at(number + 3))])));
  }, 300_000);

  it('keep what was written when a primary loses its disk: it follows who took over', async () => {
    const key = '{s00}:kept';
    const slot = await at(0).raw.call('CLUSTER', 'KEYSLOT', key) as number;
    const lost = Math.floor(slot * 3 / 16_384);
    await at(lost).raw.set(key, '1');
    await at(lost).raw.wait(1, 10_000);
    await at(lost).kill();
    rmSync(dataOf(lost), { recursive: true });
    mkdirSync(dataOf(lost));
    const [other = at(0)] = nodes.filter((_node, number) => number !== lost);
    await expect.poll(async () => (await shards(other))[lost]?.[0], WAIT)
      .toBe(portOf(at(lost + 3)));
    // Nothing but the script keeps it from the slots of its number.
    await at(lost).start();
    await expect.poll(areReady, WAIT).toBe(true);
    await expect.poll(async () => (await shards(other))[lost], WAIT)
      .toEqual([portOf(at(lost + 3)), portOf(at(lost))]);
    expect(await at(lost + 3).raw.get(key)).toBe('1');
  }, 600_000);

  it('give each primary a replica again after one followed the wrong primary', async () => {
    const [[, port] = [], [wrong] = []] = await shards(at(0));
    const [moved, primary] = [port, wrong].map((one) => (
      nodes.find((node) => portOf(node) === one) ?? at(0)));
    if (moved === undefined || primary === undefined) throw new Error('There are no two shards.');
    await moved.raw.call('CLUSTER', 'REPLICATE', String(await primary.raw.call('CLUSTER', 'MYID')));
    await expect.poll(async () => (await shards(moved)).map((ports) => ports.length), WAIT)
      .toEqual([2, 2, 2]);
    await expect.poll(areReady, WAIT).toBe(true);
  }, 300_000);
});
