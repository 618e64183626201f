import type {
  AuthorizationMove, AuthorizationResponse, AuthorizationStates, PlacedMove, ShipmentCancelled,
  StoredAuthorization,
} from '../../kernel/authorizations.ts';
import { rankOf } from '../../kernel/authorizations.ts';
import { shardOf } from '../../kernel/shards.ts';
import type { RedisConfig } from './config.ts';
import { entityDigest, keys, tagOf } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { toFields } from './texts.ts';

/** Transport orders as hashes in the shard of their id, and claims on them; see README.md. */
export function createAuthorizationStates(
  config: RedisConfig, runScript: RunScript,
): AuthorizationStates {
  /** `from` is where the log has the fact; of one that is confirmed, its claim. */
  async function merge(event: AuthorizationMove, from: PlacedMove['position'] | string) {
    const answer = event.type === 'ShipmentAuthorized' ? JSON.stringify(event.answer) : '';
    const origin = typeof from === 'string'
      ? [1, rankOf(event), from, '', '']
      : [0, rankOf(event), '', from.topicId, String(from.offset)];
    return await runScript(
      'apply-authorization', [keyOf(event.client_id, event.transport_order_id)],
      [
        ...origin, 'at_ms', event.at_ms, 'answer', answer,
        'shipment_id', event.shipment_id, 'tracking_number', event.tracking_number,
      ],
    );
  }

  return {
    async load(clientId, transportOrderId) {
      const reply = await runScript('load-authorization', [keyOf(clientId, transportOrderId)], []);
      const [isClaimed, flat] = reply as readonly [number, readonly string[]];
      return toStored(isClaimed === 1, toFields(flat));
    },

    async claim({ client_id, transport_order_id, from, to, marks, cancellation }, claimId) {
      const reply = await runScript(
        'claim-authorization', [keyOf(client_id, transport_order_id)],
        [
          claimId, from, to, config.claimLeaseMs, marks.at_ms, marks.test ? 1 : 0,
          cancellation === undefined ? '' : JSON.stringify(cancellation),
        ],
      );
      const [kind, atMs, test] = reply as readonly ['taken' | 'busy' | 'moved', string, string];
      if (kind !== 'taken') return { kind };
      return { kind, marks: { at_ms: Number(atMs), test: test === '1' } };
    },

    confirm: async (event, claimId) => Number(await merge(event, claimId)) === 1,

    async release(clientId, transportOrderId, claimId) {
      await runScript('release-authorization', [keyOf(clientId, transportOrderId)], [claimId]);
    },

    apply: async (facts) => {
      for (let at = 0; at < facts.length; at += config.applyBatchMax) {
        const batch = facts.slice(at, at + config.applyBatchMax);
        await Promise.all(batch.map(({ event, position }) => merge(event, position)));
      }
    },
  };
}

function keyOf(clientId: string, transportOrderId: string): string {
  const tag = tagOf(shardOf(transportOrderId));
  return keys.authorization(tag, entityDigest(clientId, transportOrderId));
}

function toStored(
  isClaimed: boolean, fields: ReadonlyMap<string, string> | undefined,
): StoredAuthorization | undefined {
  if (fields === undefined) return undefined;
  const answer = fields.get('answer') ?? '';
  const cancellation = fields.get('cancellation');
  return {
    rank: Number(fields.get('rank') ?? 0),
    shipment_id: fields.get('shipment_id') ?? '',
    tracking_number: fields.get('tracking_number') ?? '',
    answer: answer === '' ? undefined : JSON.parse(answer) as AuthorizationResponse,
    ...(cancellation === undefined
      ? {}
      : { cancellation: JSON.parse(cancellation) as ShipmentCancelled }),
    is_claimed: isClaimed,
  };
}
