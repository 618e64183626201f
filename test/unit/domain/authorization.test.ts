import { describe, expect, it } from 'vitest';
import {
  authorizationDecider, AUTHORIZATION_MOVES, standingOf, type AuthorizationState,
} from '../../../services/domain/authorization/authorization.ts';
import { classifyCall, waitAfter, CALL_RETRY } from '../../../services/domain/authorization/carrier-call.ts';
import { STORED_LENGTHS, storedText } from '../../../services/domain/authorization/stored-texts.ts';
import { aCancellation, anAuthorization, aRequest, PLATFORM_CLIENT } from '../../support/authorization-facts.ts';

const { decide, evolve } = authorizationDecider;
const fold = (...events: Parameters<typeof evolve>[1][]) =>
  events.reduce<AuthorizationState>(evolve, undefined);

const authorize = (wishes: object = {}) => ({
  type: 'AuthorizeShipment' as const, client_id: PLATFORM_CLIENT, carrier_client_id: undefined,
  next_tracking_number: 'RS9', request: aRequest({ id: 41, transport_order_id: 'to' }),
  contracts_requiring_agency: [], test: false, at_ms: 9, ...wishes,
});
const cancel = (wishes: object = {}) => ({
  type: 'CancelShipment' as const, client_id: PLATFORM_CLIENT, transport_order_id: 'to',
  shipment_id: '41', reason: undefined, at_ms: 9, ...wishes,
});

const STATES = {
  unknown: undefined,
  authorized: fold(anAuthorization('to')),
  cancelling: { ...fold(anAuthorization('to'))!, cancellation: aCancellation('to') },
  cancelled: fold(anAuthorization('to'), aCancellation('to')),
} as const;

describe('a transport order', () => {
  it.each(Object.entries(STATES))('stands where its facts say: %s', (standing, state) => {
    expect(standingOf(state)).toBe(standing);
  });

  it('[AUTH-06] [AUTH-50] follows the table of moves in every state', () => {
    for (const [standing, state] of Object.entries(STATES)) {
      for (const command of [authorize(), cancel()]) {
        const move = AUTHORIZATION_MOVES[command.type][standing as keyof typeof STATES];
        const decision = decide(command, state);
        const types = decision.kind === 'happened'
          ? decision.events.map(({ type }) => type).join(' ')
          : decision.kind;
        expect(types, `${command.type} when ${standing}`).toBe({
          authorized: 'ShipmentAuthorized', cancelled: 'ShipmentCancelled',
          cancelled_authorized: 'ShipmentCancelled ShipmentAuthorized',
          unchanged: 'unchanged', unknown_shipment: 'refused',
        }[move]);
      }
    }
  });

  it('opens the next epoch after a cancellation, also one that is not in the log yet', () => {
    const epochOf = (state: AuthorizationState) => {
      const decision = decide(authorize(), state);
      const last = decision.kind === 'happened' ? decision.events.at(-1) : undefined;
      return last?.type === 'ShipmentAuthorized' ? last.epoch : undefined;
    };
    expect(epochOf(STATES.unknown)).toBe(1);
    expect(epochOf(STATES.cancelled)).toBe(2);
    expect(epochOf(STATES.cancelling)).toBe(2);
    expect(epochOf(fold(anAuthorization('to', 7), aCancellation('to', 7)))).toBe(8);
  });

  it('only moves up: repeats and late facts change nothing', () => {
    const facts = [anAuthorization('to'), aCancellation('to'), anAuthorization('to', 2)];
    const end = fold(...facts);
    expect(end).toMatchObject({ stage: 3, tracking_number: 'RS-TO-2' });
    expect(fold(...facts, ...facts)).toEqual(end);
    expect(fold(...facts.toReversed())).toEqual(end);
  });

  it('[AUTH-53] refuses by rule what is not authorized yet, and only that', () => {
    const command = authorize({
      contracts_requiring_agency: ['pickup'],
      request: aRequest({ id: 41, carrier_information: { contract: 'pickup' } }),
    });
    expect(decide(command, undefined)).toMatchObject({
      kind: 'happened', events: [{ type: 'AuthorizationRefused' }],
    });
    expect(decide(command, STATES.authorized).kind).toBe('unchanged');
  });
});

describe('texts of an authorization', () => {
  it('[AUTH-37] are cut at the length of their field, never within a character', () => {
    for (const [name, lengthMax] of Object.entries(STORED_LENGTHS)) {
      expect(storedText(name, 'x'.repeat(lengthMax))).toHaveLength(lengthMax);
      expect(storedText(name, 'x'.repeat(lengthMax + 1))).toHaveLength(lengthMax);
    }
    expect(storedText('anything_else', 'x'.repeat(9_999))).toHaveLength(2_048);
    expect(storedText('number', `${'x'.repeat(63)}\u{1F4E6}`)).toBe('x'.repeat(63));
  });
});

describe('what a try to have a shipment authorized means', () => {
  const classify = (status: number, body: unknown, attempt = 1) =>
    classifyCall({ kind: 'answer', status, body }, attempt, CALL_RETRY);
  const good = { status: 'AUTHORIZED', tracking_number: 'RS1', extra: 1 };

  it('[AUTH-54] is its end with a tracking number', () => {
    expect(classify(200, good)).toEqual({
      outcome: 'authorized', reason: 'answered', status: 200, tracking_number: 'RS1', answer: good,
    });
    for (const body of [undefined, [], {}, { ...good, status: 'FAILED' }, { status: 'AUTHORIZED' }]) {
      expect(classify(200, body)).toMatchObject({ outcome: 'retry', reason: 'unreadable_answer' });
    }
  });

  it('is parked at once when the carrier refuses it', () => {
    expect(classify(400, { error_code: 'invalid_user_information.buyer', status: 'FAILED' }))
      .toMatchObject({
        outcome: 'parked', reason: 'refused', status: 400,
        error_code: 'invalid_user_information.buyer',
      });
    for (const status of [403, 404, 409, 422]) expect(classify(status, undefined).outcome).toBe('parked');
  });

  it('[AUTH-45] is another try after 30 s, doubling to at most an hour', () => {
    for (const status of [500, 503, 302, 401, 429]) {
      expect(classify(status, {})).toMatchObject({ outcome: 'retry', waitMs: 30_000 });
    }
    const waits = Array.from({ length: 9 }, (_, at) => waitAfter(at + 1, CALL_RETRY) / 1_000);
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
  });

  it('[AUTH-46] is parked after the tenth failed try, or as many as the carrier agreed on', () => {
    const lost = { kind: 'lost', reason: 'timeout' } as const;
    expect(classifyCall(lost, 9, CALL_RETRY).outcome).toBe('retry');
    expect(classifyCall(lost, 10, CALL_RETRY)).toEqual({ outcome: 'parked', reason: 'timeout' });
    const own = { tries_max: 2, first_wait_seconds: 1, wait_seconds_max: 1 };
    expect(classifyCall(lost, 1, own)).toMatchObject({ waitMs: 1_000 });
    expect(classifyCall(lost, 2, own).outcome).toBe('parked');
  });
});
