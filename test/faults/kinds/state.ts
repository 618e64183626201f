import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestCluster } from '../cluster/cluster.ts';
import type { ProcessName } from '../cluster/cluster-processes.ts';
import type { Fault, FaultEnv } from '../scenario.ts';

const TARGET = 'redis';

/** FLUSHALL while everything works. */
export function flushState(): Fault {
  return { name: 'FLUSHALL', target: TARGET, begin: ({ cluster }) => cluster.raw.flushall() };
}

/** The store ends and comes back without anything. */
export function restartStateEmpty(): Fault {
  return {
    name: 'restart empty', target: TARGET,
    async begin({ cluster }) {
      await cluster.redis.stop();
      rmSync(appendOnlyDir(cluster), { recursive: true, force: true });
      await cluster.redis.start();
    },
  };
}

/** The store comes back with what it had on disk when the fault began. */
export function restartStateOld(): Fault {
  return {
    name: 'restart from an old file', target: TARGET,
    async begin({ cluster }) {
      rmSync(oldDir(cluster), { recursive: true, force: true });
      cpSync(appendOnlyDir(cluster), oldDir(cluster), { recursive: true });
    },
    async end({ cluster }) {
      await cluster.redis.stop();
      rmSync(appendOnlyDir(cluster), { recursive: true, force: true });
      cpSync(oldDir(cluster), appendOnlyDir(cluster), { recursive: true });
      await cluster.redis.start();
    },
  };
}

/** The memory of the store is full: it refuses every write. */
export function fullState(): Fault {
  return {
    name: 'maxmemory reached', target: TARGET,
    begin: ({ cluster }) => cluster.raw.config('SET', 'maxmemory', '1mb'),
    end: ({ cluster }) => cluster.raw.config('SET', 'maxmemory', '512mb'),
  };
}

/** The store may evict keys: a process that starts now must refuse it. */
export function maySeeEviction(name: ProcessName): Fault {
  const allow = ({ cluster }: FaultEnv, policy: string): Promise<unknown> =>
    cluster.raw.config('SET', 'maxmemory-policy', policy);
  return {
    name: 'start on allkeys-lru', target: name,
    async begin(env) {
      const { part } = env.cluster.process(name);
      await part.stop();
      await allow(env, 'allkeys-lru');
      const hasStarted = await part.start().then(() => true, () => false);
      if (hasStarted) throw new Error(`${name} has started on a store that evicts.`);
    },
    async end(env) {
      await allow(env, 'noeviction');
      await env.cluster.process(name).part.start();
    },
  };
}

function appendOnlyDir({ dir }: TestCluster): string {
  return join(dir, 'stack', 'redis', 'appendonlydir');
}

function oldDir({ dir }: TestCluster): string {
  return join(dir, 'old-appendonlydir');
}
