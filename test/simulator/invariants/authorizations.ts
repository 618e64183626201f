import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { tryName, type SimCall } from '../core/history.ts';
import type { Simulation } from '../core/simulation.ts';
import { factOf } from '../models/accounts.ts';
import { authorizationsIn } from '../../support/memory-states.ts';

/** The invariants of authorizations: I1, I3, I11 and I14. */
export function checkAuthorizations(simulation: Simulation): readonly string[] {
  return [durable, oneNumber, cancelled, theLog].flatMap((check) => check(simulation));
}

const numberOf = ({ body }: SimCall): string => String(body['tracking_number']);

/** What was answered is in the log, and no other fact of its epoch is before it there. */
function durable({ history, log }: Simulation): readonly string[] {
  const facts = log.records(TOPICS.authorizations.name).map(factOf);
  const first = Map.groupBy(facts.filter(({ type }) => type === 'ShipmentAuthorized'), (fact) =>
    `${String(fact['transport_order_id'])} ${String(fact['epoch'])}`);
  const numbers = new Set([...first.values()].map(([fact]) => String(fact?.['tracking_number'])));
  const orders = new Set(facts.filter(({ type }) => type === 'ShipmentCancelled')
    .map(({ transport_order_id }) => String(transport_order_id)));
  return history.tries.filter(({ outcome }) => outcome === 'ok').flatMap((each) => {
    const isThere = each.op === 'authorize'
      ? numbers.has(numberOf(each))
      : orders.has(each.args['order'] ?? '');
    return isThere ? [] : [`I1 ${tryName(each)} was answered, but the log does not know it`];
  });
}

/** One number and one answer until a cancellation begins, never one number for two orders. */
function oneNumber({ history }: Simulation): readonly string[] {
  const findings: string[] = [];
  const given = history.of('authorize').filter(({ outcome }) => outcome === 'ok');
  for (const each of history.of('authorize')) {
    if (each.outcome === 'fail') findings.push(`I14 ${tryName(each)} was refused`);
  }
  const cancels = history.of('cancel').filter(({ outcome }) => outcome !== 'fail');
  for (const first of given) {
    for (const second of given) {
      const isSame = first.args['order'] === second.args['order'];
      if (!isSame && numberOf(first) === numberOf(second)) {
        findings.push(`I11 ${tryName(first)} and ${tryName(second)} share a number`);
      }
      const isSameNumber = numberOf(first) === numberOf(second);
      if (isSameNumber && JSON.stringify(first.body) !== JSON.stringify(second.body)) {
        findings.push(`I11 ${tryName(first)} and ${tryName(second)}: two answers`);
      }
      if (!isSame || first.to > second.to || isSameNumber) continue;
      const isBetween = cancels.some(({ args, from }) =>
        args['order'] === first.args['order'] && from < second.to);
      if (!isBetween) findings.push(`I11 ${tryName(first)} and ${tryName(second)}: two numbers`);
    }
  }
  return findings;
}

/** What was cancelled is over: a later caller gets another number. */
function cancelled({ history }: Simulation): readonly string[] {
  const findings: string[] = [];
  const given = history.of('authorize').filter(({ outcome }) => outcome === 'ok');
  for (const cancel of history.of('cancel')) {
    const own = given.filter(({ args }) => args['order'] === cancel.args['order']);
    const before = own.filter(({ to }) => to < cancel.from);
    const isKnown = before.length > 0;
    if (cancel.outcome === 'fail' && isKnown) {
      findings.push(`I14 ${tryName(cancel)} was refused for an authorized order`);
    }
    if (cancel.outcome !== 'ok') continue;
    const old = new Set(before.map(numberOf));
    for (const after of own.filter(({ from }) => from > cancel.to)) {
      if (old.has(numberOf(after))) {
        findings.push(`I11 ${tryName(after)} got a number that ${tryName(cancel)} had ended`);
      }
    }
  }
  return findings;
}

/** The store is the naive fold of the log: the highest rank, and of one rank the first fact. */
function theLog({ log, stores }: Simulation): readonly string[] {
  const findings: string[] = [];
  const highest = new Map<string, { stage: number; number: string; client: string }>();
  for (const record of log.records(TOPICS.authorizations.name)) {
    const { type, transport_order_id, epoch, tracking_number, client_id } = factOf(record);
    const number = String(tracking_number);
    const stage = Number(epoch) * 2 - (type === 'ShipmentAuthorized' ? 1 : 0);
    const known = highest.get(String(transport_order_id));
    if (stage > (known?.stage ?? 0)) {
      highest.set(String(transport_order_id), { stage, number, client: String(client_id) });
    }
  }
  for (const [order, { stage, number, client }] of highest) {
    const kept = authorizationsIn(stores.states.store).get(`${client}\0${order}`);
    if (kept?.stage !== stage || kept.tracking_number !== number) {
      findings.push(`I3 ${order} is ${JSON.stringify(kept)} in the store, ${stage} by the log`);
    }
  }
  return findings;
}
