import {
  claimCommand, foldCommandKey, releaseCommand, type CommandKeyRecord,
} from '../domain/monitoring/identity.ts';
import type {
  CommandClaim, CommandKeys, ProviderCommandIssued,
} from '../kernel/commands.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import type { ClaimConfig } from './claims.ts';
import { changeOf, numberIn, type NextEntry } from './entries.ts';
import { changing, foldFacts, READY } from './fold-facts.ts';
import { transact } from './transact.ts';

/** Commands by the key that makes a repeat the same command, with the claims on keys. */
export function createCommandKeys(
  config: ClaimConfig & { readonly keptMs: number }, store: StateStore,
): CommandKeys {
  /** Kept from the issue on; a claim only from its moment, for the log may not have a command. */
  const next = (record: CommandKeyRecord | undefined, fromMs: number): NextEntry => ({
    fields: fieldsOf(record), expireAtMs: fromMs + config.keptMs,
  });

  return {
    async claim(identity, command_id, claimId) {
      const key = keyOf(identity.key_hash);
      return transact<CommandClaim>(store, READY, {
        keys: [key],
        decide([entry], nowMs) {
          const { answer, record } = claimCommand(
            recordIn(entry?.fields), identity,
            { id: claimId, command_id, nowMs, untilMs: nowMs + config.claimLeaseMs },
          );
          if (answer.kind !== 'taken' || entry === undefined) return { result: answer };
          const change = changeOf(key, entry, next(record, nowMs));
          return { result: answer, transaction: change && { entries: [change] } };
        },
      });
    },

    async confirm({ identity, command_id, at_ms }) {
      if (identity === undefined) return true;
      const key = keyOf(identity.key_hash);
      return transact<boolean>(store, READY, {
        keys: [key],
        decide([entry], _nowMs) {
          const kept = recordIn(entry?.fields);
          if (entry === undefined || kept?.command_id !== command_id) return { result: false };
          const confirmed = foldCommandKey(kept, command_id, identity);
          const change = changeOf(key, entry, next(confirmed, at_ms));
          return { result: true, transaction: change && { entries: [change] } };
        },
      });
    },

    async release({ key_hash }, claimId) {
      const key = keyOf(key_hash);
      await transact(store, READY, changing(key, ({ fields }, nowMs) => {
        const kept = recordIn(fields);
        const released = releaseCommand(kept, claimId);
        return released === kept ? undefined : next(released, nowMs);
      }));
    },

    apply: (events) => foldFacts(
      store,
      events.flatMap((fact) => fact.identity === undefined
        ? []
        : [{ key: keyOf(fact.identity.key_hash), fact }]),
      ({ fields }, own) => {
        const record = own.reduce(foldFact, recordIn(fields));
        return record && next(record, own[0]?.at_ms ?? 0);
      },
    ),
  };
}

function keyOf(keyHash: string): StateKey {
  return { shard: shardOf(keyHash), kind: 'command-key', id: keyHash };
}

function foldFact(
  kept: CommandKeyRecord | undefined, { command_id, identity }: ProviderCommandIssued,
): CommandKeyRecord | undefined {
  return identity === undefined ? kept : foldCommandKey(kept, command_id, identity);
}

/** What the log may not have yet is in fields of other names: no rebuild brings it back. */
function fieldsOf(record: CommandKeyRecord | undefined): NextEntry['fields'] {
  if (record === undefined) return {};
  const { command_id, body_hash, claim } = record;
  if (claim === undefined) return { command_id, body_hash };
  return {
    pending_command_id: command_id,
    pending_body_hash: body_hash,
    pending: claim.id,
    pending_until_ms: claim.until_ms,
    pending_taken_over: claim.isTakenOver ? 1 : 0,
  };
}

function recordIn(fields: StateFields | undefined): CommandKeyRecord | undefined {
  const command_id = fields?.get('command_id');
  if (command_id !== undefined) return { command_id, body_hash: fields?.get('body_hash') ?? '' };
  const id = fields?.get('pending');
  if (fields === undefined || id === undefined) return undefined;
  return {
    command_id: fields.get('pending_command_id') ?? '',
    body_hash: fields.get('pending_body_hash') ?? '',
    claim: {
      id, until_ms: numberIn(fields, 'pending_until_ms') ?? 0,
      isTakenOver: fields.get('pending_taken_over') === '1',
    },
  };
}
