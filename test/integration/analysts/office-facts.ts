import type { ProviderCommandIssued, ProviderCommandResult }
  from '../../../services/kernel/commands.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { aCommand, aResult, aTelemetryRequest } from '../../support/command-facts.ts';
import { post, record } from '../clickhouse/history.ts';
import { START_TS } from './tracks.ts';

const atMs = (second: number): number => (START_TS + second) * 1_000;

/** A command with its last result; none when it was never tried. */
interface CommandCase {
  readonly issued: ProviderCommandIssued;
  readonly result?: ProviderCommandResult;
  readonly isAnswered: boolean;
}

/** What is sent to providers, and how that ends. */
export const COMMANDS: readonly CommandCase[] = [
  started('north', 1), started('north', 2),
  started('north', 3, { outcome: 'refused', status: 400 }),
  started('south', 4, { outcome: 'ended', status: 403 }),
  requested('north', 5, { outcome: 'done' }, true), requested('north', 6, { outcome: 'done' }),
  requested('south', 7, { outcome: 'refused', status: 400 }), requested('south', 8),
];

function started(
  provider: string, n: number, change: Partial<ProviderCommandResult> = { outcome: 'done' },
): CommandCase {
  const issued = aCommand('start_tracking', n, {
    provider, command_id: `office-${n}`, at_ms: atMs(n),
  });
  return { issued, result: aResult(issued, { at_ms: atMs(n + 2), ...change }), isAnswered: false };
}

function requested(
  provider: string, n: number, change?: Partial<ProviderCommandResult>, isAnswered = false,
): CommandCase {
  const issued = aTelemetryRequest(`request-${n}`, n, {
    provider, command_id: `office-${n}`, at_ms: atMs(n),
  });
  return {
    issued, isAnswered,
    ...(change === undefined ? {} : { result: aResult(issued, { at_ms: atMs(n + 2), ...change }) }),
  };
}

/** Commands, their results and the answers to them. */
export function commandRecords(): readonly LogRecord[] {
  return COMMANDS.flatMap(({ issued, result, isAnswered }) => {
    const { command_key, provider, at_ms, body } = issued;
    const facts = { receivedAtMs: at_ms };
    return [
      record('provider.commands.v1', command_key, issued, facts),
      ...(result === undefined ? [] : [
        record('provider.command-results.v1', command_key, result, { receivedAtMs: result.at_ms }),
      ]),
      ...(isAnswered && 'id' in body ? [record('rtt.deferred-events.v1', command_key, {
        id: body.id, route_distance: 7, transport_id: Number(command_key),
        post_timestamp: START_TS + 60, events: [],
      }, { receivedAtMs: atMs(60), headers: { transport: command_key, provider } })] : []),
    ];
  });
}

/** Where a driver of deliveries was. */
interface DriverFix {
  readonly driver: string;
  readonly at_s: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** Two drivers on two days, each with two traceables. */
export const DRIVER_FIXES: readonly DriverFix[] = ['ana', 'rui'].flatMap((driver, n) => (
  [0, 1].flatMap((day) => Array.from({ length: 5 + n }, (_, minute) => ({
    driver, at_s: START_TS + day * 86_400 + 36_000 + minute * 60,
    latitude: -23 + minute * 0.01 * (day + 1), longitude: -46 - n,
  })))
));

/** The drives of the drivers as the log has them. */
export function driverRecords(): readonly LogRecord[] {
  return ['ana', 'rui'].flatMap((driver) => [0, 1].map((day) => {
    const fixes = DRIVER_FIXES.filter((fix) => (
      fix.driver === driver && Math.floor((fix.at_s - START_TS) / 86_400) === day
    ));
    return record('delivery.locations.v1', `acme|driver|${driver}`, {
      post_timestamp: fixes.at(-1)?.at_s, device: { external_id: driver, external_type: 'driver' },
      traceables: ['P1', 'P2'].map((id) => ({ id, type: 'shipment' })),
      locations: fixes.map(({ at_s, latitude, longitude }) => (
        { timestamp: at_s, latitude, longitude }
      )),
    }, {
      receivedAtMs: ((fixes.at(-1)?.at_s ?? 0) + 5) * 1_000,
      headers: { n: String(fixes.length * 2) },
    });
  }));
}

/** Times that cannot be true, by the reason that the tables give. */
export const WRONG_TIMES: readonly (readonly [reason: string, at_s: number])[] = [
  ['clock_not_set', 1_000], ['clock_not_set', 2_000],
  ['too_old', START_TS - 500 * 86_400], ['too_far_ahead', START_TS + 10 * 86_400],
];

/** A post whose fixes have such times. */
export function wrongPost(): LogRecord {
  return post(WRONG_TIMES.map(([, timestamp]) => (
    { timestamp, country_id: 'BR', latitude: 1, longitude: 1 }
  )), { device: 'van-1', headers: { provider: 'south' }, receivedAtMs: atMs(90_000) });
}

/** What operators did, the last of it not with persons. */
export const AUDITS = [
  { actor: 'ana@ops-1', command: 'person show', touches: 'persons', reason: 'ticket 7' },
  { actor: 'rui@ops-2', command: 'person erase', touches: 'persons', reason: 'ticket 8' },
  { actor: 'ana@ops-1', command: 'client retire', touches: 'clients', reason: '' },
].map((audit, n) => ({
  ...audit, audit_id: `audit-${n}`, subject: `subject-${n}`, at_ms: atMs(3_600 * (n + 1)),
}));

/** The audits as the log has them. */
export function auditRecords(): readonly LogRecord[] {
  return AUDITS.map((audit) => record('platform.audit.v1', audit.actor, {
    type: 'CommandAudited', actor_from: 'option', ...audit,
  }, { receivedAtMs: audit.at_ms }));
}

/** Dead letters by topic and code; the second was replayed. */
export const DEAD_LETTERS = [
  { topic: 'rtt.locations.v1', code: 'record_invalid', items: 20, isReplayed: false },
  { topic: 'rtt.locations.v1', code: 'record_invalid', items: 7, isReplayed: true },
  { topic: 'shipment.notifications.v1', code: 'sink_rejected', items: 1, isReplayed: false },
  { topic: 'rtt.telemetry-events.v1', code: 'undecodable', items: 3, isReplayed: true },
] as const;

/** Lines of `in_dead_letters`. */
export const deadLetterLines = (): readonly Buffer[] => DEAD_LETTERS.map((each, n) => (
  Buffer.from(JSON.stringify({
    m: { kp: 0, ko: n }, origin: { topic: each.topic, topic_id: 't', partition: 0, offset: n },
    worker: 'table-writer', stage: 'consume', code: each.code, detail: 'a reason',
    headers: { n: String(each.items) }, at_ms: atMs(n),
  }))
));

/** Lines of `in_dead_letter_repairs`. */
export const repairLines = (): readonly Buffer[] => DEAD_LETTERS.flatMap((each, n) => (
  each.isReplayed ? [Buffer.from(JSON.stringify({
    m: { kp: 0, ko: n }, type: 'DeadLetterReplayed', worker: '', at_ms: atMs(100 + n),
    origin: { topic: each.topic, topic_id: 't', partition: 0, offset: n },
  }))] : []
));
