import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { ShipmentStates } from '../../../services/kernel/shipments.ts';
import { tryName } from '../core/history.ts';
import type { Simulation } from '../core/simulation.ts';
import type { AppendedRecord } from '../ports/log.ts';
import { factOf } from '../models/accounts.ts';
import { journeysIn } from '../../support/memory-states.ts';

type Fields = Readonly<Record<string, unknown>>;

const FINAL = new Set(['EX-DELIVERED', 'EX-RETURNED', 'EX-CANCELLED', 'EX-LOST']);

/** Checks at each write of journeys that none goes back in the log (I9). */
export function watchJourneyOffsets(
  { stores, wipes, scheduler }: Simulation, broken: string[], shipments: ShipmentStates,
): ShipmentStates {
  const offsetsNow = (): ReadonlyMap<string, number> => new Map(
    Object.entries(journeysIn(stores.states.store)).map(
      ([number, journey]) => [number, journey?.last_notification.offset ?? -1],
    ),
  );
  let last = offsetsNow();
  let life = wipes.length;
  return {
    ...shipments,
    async putJourneys(journeys) {
      await shipments.putJourneys(journeys);
      const now = offsetsNow();
      for (const [number, lastOffset] of life === wipes.length ? last : []) {
        if ((now.get(number) ?? Infinity) < lastOffset) {
          broken.push(`I9 ${number} went back in the log by step ${scheduler.step()}`);
        }
      }
      last = now;
      life = wipes.length;
    },
  };
}

/** The invariants of notifications: I1, I2, I4, I8, I9 and I14. */
export function checkNotifications(simulation: Simulation): readonly string[] {
  return [calls, oneCarrier, outcomesOfEach, theStore].flatMap((check) => check(simulation));
}

/** Whose notification is first in the log has the shipment; what others notify is kept apart. */
function oneCarrier({ log }: Simulation): readonly string[] {
  const outcomes = new Map(log.records(TOPICS.journey.name).map(factOf).map((fact) => {
    const { partition, offset } = fact['notification'] as Fields;
    return [`${String(partition)}@${String(offset)}`, String(fact['outcome'])] as const;
  }));
  return [...notificationsOf(log)].flatMap(([number, own]) => {
    const carrier = inOrder(own)[0]?.headers['client'];
    return own.flatMap(({ partition, offset, headers }) => {
      const outcome = outcomes.get(`${partition}@${offset}`);
      const isApart = outcome === 'disputed';
      return outcome === undefined || isApart === (headers['client'] !== carrier)
        ? []
        : [`I4 ${number}@${offset} of ${headers['client'] ?? ''} is ${outcome}`];
    });
  });
}

function calls({ history, log }: Simulation): readonly string[] {
  const findings: string[] = [];
  const records = log.records(TOPICS.notifications.name);
  const byCall = Map.groupBy(records, ({ headers }) => headers['ingest-id'] ?? '');
  for (const each of history.of('push')) {
    const own = byCall.get(each.headers['Ingest-Id'] ?? 'none') ?? [];
    if (each.outcome === 'ok' && own.length < Number(each.args['count'])) {
      findings.push(`I1 ${tryName(each)}: the log has ${own.length} of its notifications`);
    }
    if (each.outcome === 'fail') findings.push(`I14 ${tryName(each)} was refused`);
  }
  const begun = history.of('push').length;
  if (byCall.size > begun) findings.push(`I2 ${byCall.size} calls in the log, ${begun} were begun`);
  return findings;
}

/** Every notification has one outcome, the one that a naive fold of the log gives. */
function outcomesOfEach({ log }: Simulation): readonly string[] {
  const findings: string[] = [];
  const said = Map.groupBy(log.records(TOPICS.journey.name).map(factOf), (fact) => {
    const { partition, offset } = fact['notification'] as Fields;
    return `${String(partition)}@${String(offset)}`;
  });
  for (const [number, own] of notificationsOf(log)) {
    let isOver = false;
    const carrier = inOrder(own)[0]?.headers['client'];
    for (const record of inOrder(own)) {
      const { notification } = factOf(record);
      const outcomes = new Set((said.get(`${record.partition}@${record.offset}`) ?? [])
        .map(({ outcome }) => String(outcome)));
      if (outcomes.size === 0) findings.push(`I1 ${number}@${record.offset} has no outcome`);
      if (outcomes.size > 1) findings.push(`I9 ${number}@${record.offset} has two outcomes`);
      if (record.headers['client'] !== carrier) continue;
      for (const outcome of outcomes) {
        if (isOver !== (outcome === 'ignored_after_final')) {
          findings.push(`I8 ${number}@${record.offset} is ${outcome}, over: ${isOver}`);
        }
      }
      isOver ||= FINAL.has(String((notification as Fields)['code']));
    }
  }
  return findings;
}

function theStore({ log, stores }: Simulation): readonly string[] {
  const findings: string[] = [];
  const journeys = journeysIn(stores.states.store);
  for (const [number, own] of notificationsOf(log)) {
    const ordered = inOrder(own);
    const last = ordered.at(-1);
    const carriers = ordered.filter(({ headers }) => (
      headers['client'] === ordered[0]?.headers['client']
    ));
    const end = carriers.map((record) => String((factOf(record)['notification'] as Fields)['code']))
      .find((code) => FINAL.has(code));
    const kept = journeys[number];
    if (kept?.last_notification.offset !== Number(last?.offset)) {
      findings.push(`I9 ${number} is at ${String(kept?.last_notification.offset)}, not at the end`);
    }
    if (end !== undefined && (kept?.state?.code !== end || !kept.state.final)) {
      findings.push(`I8 ${number} ended with ${end}, the store says ${JSON.stringify(kept?.state)}`);
    }
    if (kept !== undefined && kept.carrier !== ordered[0]?.headers['client']) {
      findings.push(`I3 ${number} belongs to ${kept.carrier}, not to who notified it first`);
    }
  }
  return findings;
}

/** The notifications of each shipment. */
function notificationsOf(log: Simulation['log']): ReadonlyMap<string, readonly AppendedRecord[]> {
  return Map.groupBy(log.records(TOPICS.notifications.name), ({ key }) => key);
}

function inOrder(records: readonly AppendedRecord[]): readonly AppendedRecord[] {
  return [...records].sort((a, b) => Number(a.offset - b.offset));
}
