import type {
  AuthorizationMove, AuthorizationResponse, AuthorizationStates, ShipmentCancelled,
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
  async function merge(event: AuthorizationMove, isMarked: boolean): Promise<void> {
    const answer = event.type === 'ShipmentAuthorized' ? JSON.stringify(event.answer) : '';
    await runScript(
      'apply-authorization', [keyOf(event.client_id, event.transport_order_id)],
      [
        isMarked ? 1 : 0, rankOf(event), event.at_ms, answer,
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

    confirm: (event) => merge(event, true),

    async release(clientId, transportOrderId, claimId) {
      await runScript('release-authorization', [keyOf(clientId, transportOrderId)], [claimId]);
    },

    apply: async (events) => {
      for (let at = 0; at < events.length; at += config.applyBatchMax) {
        const batch = events.slice(at, at + config.applyBatchMax);
        await Promise.all(batch.map((event) => merge(event, false)));
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
