import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { House } from '../house/house.ts';
import type { ProcessName } from '../house/house-processes.ts';
import type { Fault, World } from '../scenario.ts';

const TARGET = 'redis';

/** FLUSHALL while everything works. */
export function flushState(): Fault {
  return { name: 'FLUSHALL', target: TARGET, begin: ({ house }) => house.raw.flushall() };
}

/** The store ends and comes back without anything. */
export function restartStateEmpty(): Fault {
  return {
    name: 'restart empty', target: TARGET,
    async begin({ house }) {
      await house.redis.stop();
      rmSync(appendOnlyDir(house), { recursive: true, force: true });
      await house.redis.start();
    },
  };
}

/** The store comes back with what it had on disk when the fault began. */
export function restartStateOld(): Fault {
  return {
    name: 'restart from an old file', target: TARGET,
    async begin({ house }) {
      rmSync(oldDir(house), { recursive: true, force: true });
      cpSync(appendOnlyDir(house), oldDir(house), { recursive: true });
    },
    async end({ house }) {
      await house.redis.stop();
      rmSync(appendOnlyDir(house), { recursive: true, force: true });
      cpSync(oldDir(house), appendOnlyDir(house), { recursive: true });
      await house.redis.start();
    },
  };
}

/** The memory of the store is full: it refuses every write. */
export function fullState(): Fault {
  return {
    name: 'maxmemory reached', target: TARGET,
    begin: ({ house }) => house.raw.config('SET', 'maxmemory', '1mb'),
    end: ({ house }) => house.raw.config('SET', 'maxmemory', '512mb'),
  };
}

/** The store may evict keys: a process that starts now must refuse it. */
export function maySeeEviction(name: ProcessName): Fault {
  const allow = ({ house }: World, policy: string): Promise<unknown> =>
    house.raw.config('SET', 'maxmemory-policy', policy);
  return {
    name: 'start on allkeys-lru', target: name,
    async begin(world) {
      const { part } = world.house.process(name);
      await part.stop();
      await allow(world, 'allkeys-lru');
      const hasStarted = await part.start().then(() => true, () => false);
      if (hasStarted) throw new Error(`${name} has started on a store that evicts.`);
    },
    async end(world) {
      await allow(world, 'noeviction');
      await world.house.process(name).part.start();
    },
  };
}

function appendOnlyDir({ dir }: House): string {
  return join(dir, 'stack', 'redis', 'appendonlydir');
}

function oldDir({ dir }: House): string {
  return join(dir, 'old-appendonlydir');
}
