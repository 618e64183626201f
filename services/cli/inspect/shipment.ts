import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { AuthorizationCallEvent } from '../../kernel/authorization-calls.ts';
import type { AuthorizationChangeAsked, AuthorizationEvent } from '../../kernel/authorizations.ts';
import type { ShipmentReassigned } from '../../kernel/shipments.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type { JourneyRecorded, ShipmentState } from '../../kernel/shipments.ts';
import { recordIdName } from '../../domain/journey/projection.ts';
import { factsUnder, isoOf, whereOf } from './facts.ts';

/** A step of an authorization, without the request and the answer, which hold persons. */
export interface AuthorizationStep {
  readonly fact: string;
  readonly at: string;
  readonly client: string;
  readonly transport_order_id: string;
  readonly shipment_id: string;
  readonly tracking_number: string;
  readonly carrier: string;
  readonly epoch: number | null;
  /** Of a repeat with other content: what differs. */
  readonly changed?: readonly string[];
  readonly record_id: string;
}

/** What a carrier was asked for, and the last result. */
export interface CarrierCall {
  readonly call_id: string;
  readonly carrier: string;
  readonly last: string;
  readonly at: string;
}

/** One notification with its outcome. */
export interface JourneyStep {
  readonly received_at: string;
  readonly code: string;
  readonly outcome: JourneyRecorded['outcome'];
  readonly rule: string;
  readonly source: string;
  readonly client: string;
  readonly record_id: string;
}

/** The journey of a shipment by its facts in the log. */
export interface JourneyInLog {
  readonly carrier: string | undefined;
  readonly state: ShipmentState | undefined;
  readonly steps: readonly JourneyStep[];
  /** Notifications of other carriers that wait for an operator. */
  readonly keptApart: number;
}

/** Authorizations of an order or of a tracking number, oldest first. */
export async function authorizationSteps(
  reader: LogReader, isWanted: (fact: AuthorizationEvent | AuthorizationChangeAsked) => boolean,
): Promise<readonly AuthorizationStep[]> {
  const facts = await factsUnder<
    AuthorizationEvent | AuthorizationChangeAsked | ShipmentReassigned
  >(
    reader, TOPICS.authorizations.name,
    (_, fact) => fact.type !== 'ShipmentReassigned' && isWanted(fact),
  );
  return facts.flatMap(({ fact, record }) => fact.type === 'ShipmentReassigned' ? [] : [{
    fact: fact.type, at: isoOf(fact.at_ms), client: fact.client_id,
    transport_order_id: fact.transport_order_id, shipment_id: fact.shipment_id,
    tracking_number: fact.type === 'AuthorizationRefused' ? '' : fact.tracking_number,
    carrier: fact.type === 'ShipmentAuthorized' ? fact.carrier_client_id ?? '' : '',
    epoch: fact.type === 'AuthorizationRefused' ? null : fact.epoch,
    ...(fact.type === 'AuthorizationChangeAsked' ? { changed: fact.changed } : {}),
    record_id: whereOf(record),
  }]);
}

/** What carriers were asked about one order, with the last result of each call. */
export async function carrierCalls(
  reader: LogReader, order: string,
): Promise<readonly CarrierCall[]> {
  const facts = await factsUnder<AuthorizationCallEvent>(
    reader, TOPICS.authorizationCalls.name, ({ key }) => key === order,
  );
  return [...Map.groupBy(facts, ({ fact }) => fact.call_id)].flatMap(([call_id, own]) => {
    const last = own.at(-1)?.fact;
    if (last === undefined) return [];
    return [{
      call_id, carrier: last.carrier, at: isoOf(last.at_ms),
      last: last.type === 'AuthorizationTried' ? last.outcome : 'asked',
    }];
  });
}

/** The journey under a tracking number: a result that was recorded twice counts once. */
export async function journeyInLog(
  reader: LogReader, trackingNumber: string,
): Promise<JourneyInLog> {
  const facts = await factsUnder<JourneyRecorded>(
    reader, TOPICS.journey.name, ({ key }) => key === trackingNumber,
  );
  const byRecordId = new Map(facts.map((each) => {
    const { topic_id, partition, offset } = each.fact.notification;
    return [`${topic_id}:${partition}:${offset}`, each] as const;
  }));
  const last = facts.at(-1)?.fact;
  const outcomes = new Map(facts.map(({ fact }) => (
    [recordIdName(fact.reapplies ?? fact.notification), fact.outcome] as const
  )));
  return {
    keptApart: [...outcomes.values()].filter((outcome) => outcome === 'disputed').length,
    carrier: last?.carrier,
    state: last?.state,
    steps: [...byRecordId.values()].map(({ fact, record }) => ({
      received_at: isoOf(fact.received_at_ms), code: fact.code, outcome: fact.outcome,
      rule: fact.rule, source: fact.source, client: fact.client_id,
      record_id: whereOf(record),
    })),
  };
}
