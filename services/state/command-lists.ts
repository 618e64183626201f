import type {
  CommandCursor, CommandRange, ProviderCommandIssued,
} from '../kernel/commands.ts';
import { SHARDS } from '../kernel/limits.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateKey, StateStore, StateTransaction } from '../kernel/state-store.ts';
import { FROM_THE_LOG } from './fold-facts.ts';

/** In each shard its commands by when they were issued. */
const BY_TIME: readonly StateKey[] = Array.from({ length: SHARDS }, (_, shard) => listOf(shard));

/** Ids of commands by when they were issued: in the shard of each, and for each transport. */
export interface CommandLists {
  /** Adds commands from the log; any order and repetition ends in the same lists. */
  add(events: readonly ProviderCommandIssued[]): Promise<void>;
  /** Ids of one page, the one issued last first, and where it ended. */
  read(
    range: CommandRange, after: CommandCursor | undefined, limit: number,
  ): Promise<{ readonly ids: readonly string[]; readonly next: CommandCursor | undefined }>;
}

/** Makes the lists over the store; what was issued longer ago than `keptMs` goes. */
export function createCommandLists(keptMs: number, store: StateStore): CommandLists {
  function listing(event: ProviderCommandIssued): readonly StateTransaction[] {
    const { body, command_id: member, at_ms: score } = event;
    const keys = [
      listOf(shardOf(member)),
      ...('transport' in body ? [transportKey(String(body.transport.id))] : []),
    ];
    return keys.map((key) => ({
      entries: [], members: [{ key, dropBelow: score - keptMs, add: [{ member, score }] }],
    }));
  }

  return {
    async add(events) {
      if (events.length > 0) await store.commit(events.flatMap(listing), FROM_THE_LOG);
    },

    async read({ since_ms, until_ms, transport_id }, after, limit) {
      const keys = transport_id === undefined ? BY_TIME : [transportKey(transport_id)];
      const members = await store.readMembers(keys, {
        order: 'falling', least: since_ms, most: until_ms, max: limit + 1,
        after: after && { score: after.at_ms, member: after.command_id },
      });
      const shown = members.slice(0, limit);
      const last = shown.at(-1);
      return {
        ids: shown.map(({ member }) => member),
        next: members.length > limit && last !== undefined
          ? { at_ms: last.score, command_id: last.member } : undefined,
      };
    },
  };
}

function listOf(shard: number): StateKey {
  return { shard, kind: 'commands', id: '' };
}

function transportKey(transportId: string): StateKey {
  return { shard: shardOf(transportId), kind: 'transport-commands', id: transportId };
}
