import type { Redis } from 'ioredis';
import { nameOfEntry, sha256Hex } from '../../../services/adapters/redis/keys.ts';
import type { ShipmentRecord } from '../../../services/domain/journey/projection.ts';
import { finishedEndMs } from '../../../services/kernel/lifetimes.ts';
import type { MemberChange, StateKey, StateStore } from '../../../services/kernel/state-store.ts';
import { createStates, type States } from '../../../services/state/create-states.ts';
import { finishedKey } from '../../../services/state/find-shipments.ts';
import { packShipment } from '../../../services/state/pack-shipment.ts';
import { formsKey } from '../../../services/state/shipment-forms.ts';
import { fakeStateStore } from '../../support/fake-state-store.ts';
import { fakeTokenLimits } from '../../support/fake-states/token-limits.ts';
import { REDIS_DEFAULTS } from '../../../services/adapters/redis/config.ts';

const LEASE_MS = 10_000;
const COMMANDS_AT_ONCE = 20_000;

/** Writes many entries in the form of the product, without its reads and comparisons. */
export interface YearStore {
  /** What `fill` does with the product's states, over a store in memory, goes into Redis. */
  write(fill: (states: States) => Promise<void>): Promise<void>;
  /** Finished shipments, packed by the product's own function. */
  writeFinished(shipments: Iterable<readonly [number: string, ShipmentRecord]>): Promise<void>;
}

type Command = readonly [name: string, ...args: (string | number)[]];

/** Opens it over a Redis to which no worker writes these entries. */
export function openYearStore(raw: Redis): YearStore {
  /** Every entry gets a version, as those that are written. */
  const version = String(Date.now() * 1_000);

  async function send(commands: readonly Command[]): Promise<void> {
    for (let at = 0; at < commands.length; at += COMMANDS_AT_ONCE) {
      const pipeline = raw.pipeline();
      for (const [name, ...args] of commands.slice(at, at + COMMANDS_AT_ONCE)) {
        pipeline.call(name, ...args);
      }
      for (const [error] of await pipeline.exec() ?? []) if (error !== null) throw error;
    }
  }

  return {
    async write(fill) {
      const store = fakeStateStore();
      const changed = new Map<string, MemberChange>();
      await fill(createStates({ ...REDIS_DEFAULTS, claimLeaseMs: LEASE_MS }, {
        store: noting(store, changed), digest: sha256Hex,
        tokenLimits: fakeTokenLimits(store, new Map(), new Map(), REDIS_DEFAULTS),
      }));
      const ends = store.all().flatMap(({ key, fields, expireAtMs }): Command[] => [
        ['HSET', nameOfEntry(key), ...[...fields].flat(), 'v', version],
        ...endOf(key, expireAtMs),
      ]);
      await send([...ends, ...[...changed.values()].flatMap(({ key, expireAtMs }): Command[] => {
        const members = [...store.members(key)].flatMap(([member, score]) => [score, member]);
        return members.length === 0
          ? [] : [['ZADD', nameOfEntry(key), ...members], ...endOf(key, expireAtMs)];
      })]);
    },

    async writeFinished(shipments) {
      const nowMs = Date.now();
      const parts = new Map<string, { readonly key: StateKey; readonly fields: string[] }>();
      const forms = new Map<string, Command>();
      for (const [number, shipment] of shipments) {
        const packed = packShipment(sha256Hex, number, shipment, nowMs);
        if (packed === undefined) throw new Error(`${number} is not packed.`);
        const key = finishedKey(number);
        const fields: string[] = parts.get(nameOfEntry(key))?.fields ?? [];
        fields.push(number, packed.text);
        parts.set(nameOfEntry(key), { key, fields });
        const own = nameOfEntry(formsKey(packed.shard));
        forms.set(own + packed.name, ['HSET', own, packed.name, packed.form, 'v', version]);
      }
      await send([...forms.values(), ...[...parts.values()].flatMap(({ key, fields }) => [
        ['HSET', nameOfEntry(key), ...fields, 'v', version] as const,
        ...endOf(key, finishedEndMs(nowMs)),
      ])]);
    },
  };
}

function endOf(key: StateKey, atMs: number | undefined): readonly Command[] {
  return atMs === undefined ? [] : [['PEXPIREAT', nameOfEntry(key), atMs]];
}

/** The store, noting the last change of each sorted set. */
function noting(store: StateStore, changed: Map<string, MemberChange>): StateStore {
  return {
    ...store,
    commit: (transactions, access) => {
      for (const { members = [] } of transactions) {
        for (const change of members) changed.set(nameOfEntry(change.key), change);
      }
      return store.commit(transactions, access);
    },
  };
}
