import type { AuthorizationStates, PlacedMove } from '../kernel/authorizations.ts';
import type { Digest } from '../kernel/digest.ts';
import { expiryOf, HISTORY_MS } from '../kernel/lifetimes.ts';
import { shardOf } from '../kernel/shards.ts';
import type { StateFields, StateKey, StateStore } from '../kernel/state-store.ts';
import {
  claimChange, claimStep, endChange, foldChange, foldMove, holdsClaim, releaseClaim, storedOf,
  UNKNOWN_ORDER,
  type AuthorizationRecord,
} from '../domain/authorization/projection.ts';
import type { ClaimConfig } from './claims.ts';
import { changeOf, jsonIn, numberIn, type NextEntry } from './entries.ts';
import { changing, foldFacts, READY } from './fold-facts.ts';
import { transact } from './transact.ts';

/** Where a transport order lies. Any client may choose its id, so the key has a digest of it. */
export function authorizationKey(
  digest: Digest, clientId: string, transportOrderId: string,
): StateKey {
  return {
    shard: shardOf(transportOrderId),
    kind: 'authorization',
    id: digest(`${clientId}\0${transportOrderId}`),
  };
}

/**
 * Transport orders in the shard of their id, and claims on them. One leaves 400 days after the last
 * fact about it, or with its finished shipment.
 */
export function createAuthorizationStates(
  config: ClaimConfig, ports: { readonly store: StateStore; readonly digest: Digest },
): AuthorizationStates {
  const { store, digest } = ports;
  const keyOf = (clientId: string, transportOrderId: string): StateKey => (
    authorizationKey(digest, clientId, transportOrderId)
  );

  return {
    async load(clientId, transportOrderId) {
      const { nowMs, entries } = await store.read([keyOf(clientId, transportOrderId)], READY);
      const fields = entries[0]?.fields;
      return fields === undefined || fields.size === 0
        ? undefined
        : storedOf(orderIn(fields), nowMs);
    },

    async claim(claim, claimId) {
      const key = keyOf(claim.client_id, claim.transport_order_id);
      return transact(store, READY, {
        keys: [key],
        decide([entry], nowMs) {
          const kept = orderIn(entry?.fields);
          const clock = { nowMs, leaseMs: config.claimLeaseMs };
          const { reply, order } = claimStep(kept, claim, claimId, clock);
          const change = entry && changeOf(key, entry, entryOf(order, nowMs));
          return { result: reply, transaction: change && { entries: [change] } };
        },
      });
    },

    async confirm(event, claimId) {
      const key = keyOf(event.client_id, event.transport_order_id);
      return transact(store, READY, {
        keys: [key],
        decide([entry], nowMs) {
          const kept = orderIn(entry?.fields);
          if (!holdsClaim(kept, claimId, nowMs) || entry?.inDoubt !== false) {
            return { result: false };
          }
          const change = changeOf(key, entry, entryOf(foldMove(kept, event, undefined), nowMs));
          return { result: true, transaction: change && { entries: [change] } };
        },
      });
    },

    async release(clientId, transportOrderId, claimId) {
      await transact(store, READY, changing(
        keyOf(clientId, transportOrderId),
        ({ fields }, nowMs) => entryOf(releaseClaim(orderIn(fields), claimId), nowMs),
      ));
    },

    async claimChange(change, claimId) {
      const key = keyOf(change.client_id, change.transport_order_id);
      return transact(store, READY, {
        keys: [key],
        decide([entry], nowMs) {
          const clock = { nowMs, leaseMs: config.claimLeaseMs };
          const { reply, order } = claimChange(orderIn(entry?.fields), change, claimId, clock);
          const next = entry && changeOf(key, entry, entryOf(order, nowMs));
          return { result: reply, transaction: next && { entries: [next] } };
        },
      });
    },

    async endChange(change, claimId, isRecorded) {
      await transact(store, READY, changing(
        keyOf(change.client_id, change.transport_order_id),
        ({ fields }, nowMs) => (
          entryOf(endChange(orderIn(fields), change, claimId, isRecorded), nowMs)
        ),
      ));
    },

    applyChanges: (facts) => foldFacts(
      store,
      facts.map((fact) => ({ key: keyOf(fact.client_id, fact.transport_order_id), fact })),
      ({ fields }, own, nowMs) => entryOf(
        own.reduce(foldChange, orderIn(fields)), nowMs, lastOf(own),
      ),
    ),

    apply: (facts) => foldFacts(
      store,
      facts.map((fact) => (
        { key: keyOf(fact.event.client_id, fact.event.transport_order_id), fact }
      )),
      ({ fields }, own, nowMs) => entryOf(
        own.reduce(foldPlaced, orderIn(fields)), nowMs, lastOf(own.map(({ event }) => event)),
      ),
    ),
  };
}

function foldPlaced(
  order: AuthorizationRecord, { event, recordId }: PlacedMove,
): AuthorizationRecord {
  return foldMove(order, event, recordId);
}

function orderIn(fields: StateFields | undefined): AuthorizationRecord {
  if (fields === undefined || fields.size === 0) return UNKNOWN_ORDER;
  const answer = fields.get('answer') ?? '';
  const cancellation = jsonIn<AuthorizationRecord['cancellation']>(fields, 'cancellation');
  return {
    stage: numberIn(fields, 'stage') ?? 0,
    shipment_id: fields.get('shipment_id') ?? '',
    tracking_number: fields.get('tracking_number') ?? '',
    answer: answer === '' ? undefined : JSON.parse(answer) as AuthorizationRecord['answer'],
    ...(cancellation === undefined ? {} : { cancellation }),
    contents: jsonIn<AuthorizationRecord['contents']>(fields, 'contents'),
    changes: jsonIn<string[]>(fields, 'changes'),
    change: jsonIn<AuthorizationRecord['change']>(fields, 'change'),
    first: firstIn(fields),
    claim: claimIn(fields),
    marks: marksIn(fields),
  };
}

function firstIn(fields: StateFields): AuthorizationRecord['first'] {
  const [topicId, offset] = [fields.get('o:topic'), fields.get('o:first')];
  return topicId === undefined || offset === undefined
    ? undefined
    : { topicId, offset: BigInt(offset) };
}

function claimIn(fields: StateFields): AuthorizationRecord['claim'] {
  const id = fields.get('pending');
  if (id === undefined) return undefined;
  return {
    id,
    stage: numberIn(fields, 'pending_stage') ?? 0,
    until_ms: numberIn(fields, 'pending_until_ms') ?? 0,
  };
}

function marksIn(fields: StateFields): AuthorizationRecord['marks'] {
  const stage = numberIn(fields, 'pending_marks_stage');
  if (stage === undefined) return undefined;
  return {
    stage,
    by: fields.get('pending_marks_by') ?? '',
    at_ms: numberIn(fields, 'pending_at_ms') ?? 0,
    test: fields.get('pending_test') === '1',
    tracking_number: fields.get('pending_number'),
  };
}

function lastOf(facts: readonly { readonly at_ms: number }[]): number {
  return facts.reduce((last, { at_ms }) => Math.max(last, at_ms), 0);
}

/** Of an order that the log does not know nothing is written but its claim. */
function entryOf(order: AuthorizationRecord, nowMs: number, lastFactMs = nowMs): NextEntry {
  const { stage, answer, cancellation, first, claim, marks } = order;
  const known = stage === 0 ? {} : {
    stage,
    shipment_id: order.shipment_id,
    tracking_number: order.tracking_number,
    answer: answer === undefined ? '' : JSON.stringify(answer),
    contents: order.contents && JSON.stringify(order.contents),
    changes: order.changes && JSON.stringify(order.changes),
    change: order.change && JSON.stringify(order.change),
  };
  return {
    expireAtMs: expiryOf(lastFactMs, HISTORY_MS, nowMs),
    fields: {
      ...known,
      cancellation: cancellation && JSON.stringify(cancellation),
      'o:topic': first?.topicId,
      'o:first': first && String(first.offset),
      pending: claim?.id,
      pending_stage: claim?.stage,
      pending_until_ms: claim?.until_ms,
      pending_marks_stage: marks?.stage,
      pending_marks_by: marks?.by,
      pending_at_ms: marks?.at_ms,
      pending_test: marks && Number(marks.test),
      pending_number: marks?.tracking_number,
    },
  };
}
