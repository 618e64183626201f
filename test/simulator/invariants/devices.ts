import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { tryName, type SimCall } from '../core/history.ts';
import type { Simulation } from '../core/simulation.ts';
import { factOf } from '../models/accounts.ts';

/** Looks at the store whenever a record comes in: between two wipes no device falls back. */
export function watchStages({ stores, log, scheduler, wipes }: Simulation): readonly string[] {
  const broken: string[] = [];
  const highest = new Map<string, number>();
  let life = wipes.length;
  log.onAppended(() => {
    if (wipes.length !== life) highest.clear();
    life = wipes.length;
    for (const { key: { id }, fields } of stores.states.store.ofKind('device')) {
      const stage = Number(fields.get('epoch'));
      const before = highest.get(id) ?? 0;
      if (stage < before) {
        broken.push(`I9 ${id} went from ${before} back to ${stage} by step ${scheduler.step()}`);
      }
      highest.set(id, stage);
    }
  });
  return broken;
}

/** The invariants of devices: I1, I2, I3, I4, I5, I6, I9 and I14. */
export function checkDevices(simulation: Simulation): readonly string[] {
  return [
    durable, noPhantom, oneRegistration, oncePerMove, fences, sameAsLog, lastFixes,
  ].flatMap((check) => check(simulation));
}

const idOf = ({ body }: SimCall): string => typeof body['id'] === 'string' ? body['id'] : '';

function durable({ history, log }: Simulation): readonly string[] {
  const facts = new Set(log.records(TOPICS.deviceLifecycle.name).map((record) => {
    const { type, device_id } = factOf(record);
    return `${String(type)} ${String(device_id)}`;
  }));
  const posts = new Set(log.records(TOPICS.locations.name).map(({ headers }) => headers['ingest-id']));
  const findings: string[] = [];
  for (const each of history.tries) {
    if (each.outcome !== 'ok') continue;
    const { device = '' } = each.args;
    const isThere = each.op === 'register' ? facts.has(`DeviceRegistered ${idOf(each)}`)
      : each.op === 'start' ? facts.has(`DeviceTrackingStarted ${device}`)
        : each.op === 'stop' ? facts.has(`DeviceTrackingStopped ${device}`)
          : posts.has(each.headers['Ingest-Id']);
    if (!isThere) findings.push(`I1 ${tryName(each)} was answered, but the log does not know it`);
  }
  return findings;
}

/** Whatever was refused is in no log: every post belongs to a call that was not answered 4xx. */
function noPhantom({ history, log }: Simulation): readonly string[] {
  const sent = history.of('send').filter(({ outcome }) => outcome !== 'fail').length;
  const posts = new Set(log.records(TOPICS.locations.name).map(({ headers }) => headers['ingest-id']));
  return posts.size > sent ? [`I2 ${posts.size} posts in the log, ${sent} calls not refused`] : [];
}

function oneRegistration({ history, log }: Simulation): readonly string[] {
  const findings: string[] = [];
  const answered = history.of('register').filter(({ outcome }) => outcome === 'ok');
  const stops = history.of('stop').filter(({ outcome }) => outcome !== 'fail');
  for (const [id, own] of Map.groupBy(answered, idOf)) {
    const created = own.filter(({ status }) => status === 201);
    const [first, second] = created;
    if (first === undefined) continue;
    if (second !== undefined) findings.push(`I4 ${id}: ${tryName(first)} and ${tryName(second)}`);
    const known = own.find(({ status, to }) => status === 208 && to < first.from);
    if (known !== undefined) findings.push(`I4 ${tryName(first)} came after ${tryName(known)}`);
  }
  for (const own of Map.groupBy(answered, ({ args }) => args['entity']).values()) {
    const ordered = [...own].sort((a, b) => a.to - b.to);
    for (const [at, second] of ordered.entries()) {
      const first = ordered[at - 1];
      if (first === undefined || idOf(first) === idOf(second)) continue;
      const isStopped = stops.some(({ args, from }) => from < second.to
        && (args['device'] === idOf(first) || args['device'] === idOf(second)));
      if (!isStopped) findings.push(`I4 ${tryName(first)} and ${tryName(second)}: two devices`);
    }
  }
  const lives = Map.groupBy(
    log.records(TOPICS.deviceLifecycle.name).map(factOf)
      .filter(({ type }) => type === 'DeviceRegistered'),
    ({ entity_hash, generation }) => `${String(entity_hash)} ${String(generation)}`,
  );
  for (const [life, own] of lives) {
    if (new Set(own.map(({ device_id }) => device_id)).size > 1) {
      findings.push(`I4 ${life} has two ids in the log`);
    }
  }
  return findings;
}

function oncePerMove({ history }: Simulation): readonly string[] {
  const happened = history.of('start', 'stop').filter(({ status }) => status === 200);
  return [...Map.groupBy(happened, ({ op, args }) => `${op} ${args['device'] ?? ''}`)].flatMap(
    ([name, [first, second]]) => first === undefined || second === undefined ? [] : [
      `I6 ${name} happened twice: ${tryName(first)} and ${tryName(second)}`,
    ],
  );
}

/** What is accepted when: not before a start began, not after a stop was answered; else always. */
function fences({ history }: Simulation): readonly string[] {
  const findings: string[] = [];
  const least = (tries: readonly SimCall[], of: 'from' | 'to'): ReadonlyMap<string, number> => {
    const first = new Map<string, number>();
    for (const each of tries) {
      const { device = '' } = each.args;
      first.set(device, Math.min(each[of], first.get(device) ?? Infinity));
    }
    return first;
  };
  const starts = history.of('start').filter(({ outcome }) => outcome !== 'fail');
  const stops = history.of('stop').filter(({ outcome }) => outcome !== 'fail');
  const isOk = ({ outcome }: SimCall): boolean => outcome === 'ok';
  const startBegun = least(starts, 'from');
  const started = least(starts.filter(isOk), 'to');
  const stopBegun = least(stops, 'from');
  const stopped = least(stops.filter(isOk), 'to');
  for (const each of history.of('send', 'start')) {
    const { device = '' } = each.args;
    if (isOk(each) && each.from > (stopped.get(device) ?? Infinity)) {
      findings.push(`I5 ${tryName(each)} was accepted after a stop had been answered`);
    }
    if (each.op === 'start') continue;
    if (isOk(each) && each.to < (startBegun.get(device) ?? Infinity)) {
      findings.push(`I6 ${tryName(each)} was accepted, but no call had begun to start it`);
    }
    const isOpen = each.from > (started.get(device) ?? Infinity)
      && each.to < (stopBegun.get(device) ?? Infinity);
    if (isOpen && each.outcome === 'fail') {
      findings.push(`I14 ${tryName(each)} was refused for a device that was started`);
    }
  }
  for (const each of history.of('start', 'stop')) {
    const { device = '' } = each.args;
    const isGone = each.op === 'start' && each.to > (stopBegun.get(device) ?? Infinity);
    if (each.outcome === 'fail' && !isGone) findings.push(`I14 ${tryName(each)} was refused`);
  }
  return findings;
}

/** The store is what a naive fold of the log says, but for stops that only deny yet. */
function sameAsLog({ log, stores }: Simulation): readonly string[] {
  const stages = new Map<string, number>();
  const newest = new Map<string, { generation: number; id: string }>();
  for (const record of log.records(TOPICS.deviceLifecycle.name)) {
    const { type, device_id, epoch, generation, entity_hash } = factOf(record);
    const id = String(device_id);
    stages.set(id, Math.max(Number(epoch), stages.get(id) ?? 0));
    const known = newest.get(String(entity_hash));
    if (type === 'DeviceRegistered' && Number(generation) > (known?.generation ?? 0)) {
      newest.set(String(entity_hash), { generation: Number(generation), id });
    }
  }
  const findings: string[] = [];
  const devices = new Map(stores.states.store.ofKind('device').map(
    ({ key, fields }) => [key.id, fields],
  ));
  for (const [id, stage] of stages) {
    const kept = devices.get(id);
    const known = kept?.get('stop_from') ?? kept?.get('epoch');
    if (known !== String(stage)) findings.push(`I3 ${id} is ${String(known)} in the store, ${stage} by the log`);
  }
  const entities = new Map(stores.states.store.ofKind('entity').map(
    ({ key, fields }) => [key.id.split(':')[1], fields.get('device_id')],
  ));
  for (const [entity, { id }] of newest) {
    if (entities.get(entity) !== id) findings.push(`I3 ${entity} is not ${id} in the store`);
  }
  return findings;
}

/** I9 and I5: the last position is that of the newest fix, whatever came of its device. */
function lastFixes({ log, stores }: Simulation): readonly string[] {
  const newest = new Map<string, number>();
  for (const { key, value } of log.records(TOPICS.locations.name)) {
    const { locations } = factOf({ value }) as { locations: readonly { timestamp: number }[] };
    for (const { timestamp } of locations) {
      newest.set(key, Math.max(timestamp, newest.get(key) ?? 0));
    }
  }
  return [...newest].flatMap(([id, timestamp]) => {
    const kept = stores.states.fixes.ofDevices.get(id)?.timestamp;
    return kept === timestamp ? [] : [`I9 last position of ${id}: ${String(kept)}, not ${timestamp}`];
  });
}
