import { cpSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { everyOperation } from '../../support/every-operation.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { startOwnRedis, type OwnRedis } from '../../support/own-redis.ts';
import {
  CALLER, CALLER_SECRET, openWholeEdge, type WholeEdge,
} from '../../support/whole-edge.ts';

const WAIT = { timeout: 10_000, interval: 50 };
/** Answered from what the process holds. */
const WITHOUT_STATE = ['show-openapi', 'show-docs', 'show-interface', 'show-problem'];
const BASIC = `Basic ${Buffer.from(`${CALLER}:${CALLER_SECRET}`).toString('base64')}`;
const STATEFUL = everyOperation().map(({ id }) => id).filter((id) => !WITHOUT_STATE.includes(id));

/** An address in front of whichever server is the primary, as a name or a virtual address is. */
async function openAddress(target: () => string) {
  const open = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(new URL(target()).port), '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port ?? 0 : 0;
  const cut = () => {
    for (const socket of open) socket.destroy();
    open.clear();
  };
  return { url: `redis://127.0.0.1:${port}`, cut, close: () => { cut(); server.close(); } };
}

describe('While the state is not rebuilt, every operation that needs it', () => {
  let first: OwnRedis;
  let second: OwnRedis;
  let primary: OwnRedis;
  let address: Awaited<ReturnType<typeof openAddress>>;
  let states: OpenedRedis;
  let whole: WholeEdge;
  beforeAll(async () => {
    [first, second] = await Promise.all([
      startOwnRedis('--appendfsync', 'always'), startOwnRedis(),
    ]);
    primary = first;
    address = await openAddress(() => primary.url);
    states = await openRedisStates({ tokenRequestsBurst: 100_000 }, address.url);
    whole = await openWholeEdge(
      { admission: states.admission }, (parts) => ({ ...parts, states }),
    );
  }, 60_000);
  afterAll(async () => {
    await whole.close();
    await states.close();
    address.close();
    await Promise.all([first.close(), second.close()]);
  });

  const answers = () => Promise.all(STATEFUL.map(async (id) => {
    const headers = id.endsWith('issue-token') ? { authorization: BASIC } : {};
    const response = await whole.call(id, { headers });
    await response.body?.cancel();
    return { id, status: response.status, waits: response.headers.has('retry-after') };
  }));
  const refused = STATEFUL.map((id) => ({ id, status: 500, waits: true }));
  const staysRefused = async () => {
    await vi.waitFor(async () => { expect(await states.readiness.isReady()).toBe(false); }, WAIT);
    expect(await answers()).toEqual(refused);
  };
  const becomesReady = async () => {
    await vi.waitFor(async () => {
      expect(await states.readiness.claimRebuild('again', 5_000)).toBe(true);
      expect(await states.readiness.markReady('again')).toBe(true);
    }, WAIT);
    await vi.waitFor(async () => {
      expect((await answers()).filter(({ status }) => status >= 500)).toEqual([]);
    }, WAIT);
  };

  it('answers otherwise once it is, so that 500 says something', becomesReady, 30_000);

  it('is answered 500 with Retry-After after FLUSHALL', async () => {
    await first.raw.flushall();
    await staysRefused();
    await becomesReady();
  }, 30_000);

  it('is answered 500 with Retry-After after a restart with all its data', async () => {
    await first.kill();
    await first.start();
    await staysRefused();
    await becomesReady();
  }, 30_000);

  it('is answered 500 with Retry-After after a restart from an old snapshot', async () => {
    const [, dir = ''] = await first.raw.config('GET', 'dir');
    const files = join(dir, 'appendonlydir');
    cpSync(files, `${files}-old`, { recursive: true });
    await first.raw.set('written', 'since');
    await first.kill();
    rmSync(files, { recursive: true });
    cpSync(`${files}-old`, files, { recursive: true });
    await first.start();
    expect(await first.raw.exists('{s00}:ready')).toBe(1);
    await staysRefused();
    await becomesReady();
  }, 30_000);

  it('is answered 500 with Retry-After after a failover to a replica that lags', async () => {
    await second.raw.replicaof('127.0.0.1', Number(new URL(first.url).port));
    await vi.waitFor(async () => {
      expect(await second.raw.exists('{s63}:ready')).toBe(1);
    }, WAIT);
    await second.raw.replicaof('NO', 'ONE');
    await first.raw.set('written', 'since');
    primary = second;
    address.cut();
    await staysRefused();
    await becomesReady();
  }, 30_000);
});
