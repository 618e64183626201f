import type { Evidence, LogEntry, StateDump } from '../evidence.ts';
import { foldDevices, foldFixes } from '../fold-devices.ts';
import { foldJourneys, saidOf } from '../fold-journeys.ts';
import {
  fieldOf, groupBy, isFields, entryName, entriesByMark, sentItems, textOf, tryName, type SentItem,
} from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings, type Findings } from '../verdict.ts';
import { kindOf } from './i03-replay.ts';
import { storedShipments } from './i08-finality.ts';

/**
 * I9 Order: what was accepted for one key one after the other is in the log in that order, every
 * notification has the outcome that a naive fold gives it, and Redis holds what the log folds to.
 */
export function orderKept(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I9');
  checkLog(evidence, findings);
  const journeys = foldJourneys(evidence);
  checkOutcomes(evidence, journeys, findings);
  // A projector that stands still is behind the log, and says so.
  if (evidence.run.allows.includes('stands-still')) return findings.verdict();
  checkShipments(evidence, journeys, findings);
  checkDevices(evidence, findings);
  checkFixes(evidence, findings);
  return findings.verdict();
}

interface Logged extends SentItem {
  readonly entry: LogEntry;
  /** When the item was first sent: an earlier try of its call may be the one that is in the log. */
  readonly begun: number;
}

/** First appearances in the log, against calls that ended before the next began. */
function checkLog(evidence: Evidence, findings: Findings): void {
  const entries = entriesByMark(evidence);
  const begun = new Map<string, number>();
  for (const { call, from } of evidence.tries) {
    begun.set(call, Math.min(from, begun.get(call) ?? Infinity));
  }
  const logged: Logged[] = [];
  const seen = new Set<string>();
  for (const { item, by } of sentItems(evidence.tries)) {
    const name = `${item.kind} ${item.mark}`;
    const entry = entries.get(name)?.[0];
    if (entry === undefined || by.outcome !== 'ok' || seen.has(name)) continue;
    seen.add(name);
    logged.push({ item, by, entry, begun: begun.get(by.call) ?? by.from });
  }
  for (const own of groupBy(logged, ({ item: { kind, key } }) => `${kind} ${key}`).values()) {
    checkKey(own, findings);
  }
}

/** Walks the log backwards with the earliest end of what stands later in it. */
function checkKey(own: readonly Logged[], findings: Findings): void {
  const stray = own.find(({ item, entry }) => item.kind !== 'delivery' && item.key !== entry.key);
  if (stray !== undefined) {
    findings.blame('order-violation', `${entryName(stray.entry)} has the key ${stray.entry.key}, `
      + `but what it holds is ordered by ${stray.item.key}.`);
  }
  const partitions = groupBy(own, ({ entry }) => String(entry.partition));
  if (partitions.size > 1) {
    const [one, other] = [...partitions.values()].map((logged) => logged[0]);
    if (one !== undefined && other !== undefined) {
      findings.blame('order-violation', `${one.item.key} is in two partitions: at `
        + `${entryName(one.entry)} and ${entryName(other.entry)}.`);
    }
  }
  for (const logged of partitions.values()) {
    const inLog = [...logged].sort((a, b) => a.entry.offset - b.entry.offset);
    let later: Logged | undefined;
    for (const each of inLog.reverse()) {
      findings.examine();
      if (later !== undefined && later.by.to < each.begun
        && later.entry.offset > each.entry.offset) {
        findings.blame('order-violation', `${tryName(later.by)} ended before ${tryName(each.by)} `
          + `began, but the log has them at ${entryName(later.entry)} and ${entryName(each.entry)}.`);
      }
      if (later === undefined || each.by.to < later.by.to) later = each;
    }
  }
}

type Journeys = ReturnType<typeof foldJourneys>;

function checkOutcomes(evidence: Evidence, journeys: Journeys, findings: Findings): void {
  const said = saidOf(evidence);
  for (const journey of journeys.values()) {
    for (const { entry, outcome } of journey) {
      findings.examine();
      for (const record of said.get(entryName(entry)) ?? []) {
        const given = textOf(record.value, 'outcome');
        const isFinality = outcome === 'ignored_after_final' || given === 'ignored_after_final';
        if (given === outcome || isFinality) continue;
        findings.blame('order-violation', `${entryName(entry)} of ${entry.key} is ${outcome} by `
          + `the order of the log, but ${entryName(record)} calls it ${given}.`);
      }
    }
  }
}

function checkShipments(evidence: Evidence, journeys: Journeys, findings: Findings): void {
  for (const [shipment, state] of storedShipments(evidence)) {
    const last = journeys.get(shipment)?.at(-1)?.after;
    if (last === undefined || last.final || last.code === textOf(state, 'code')) continue;
    findings.blame('state-differs', `${shipment} is ${last.code} by the log, at `
      + `${textOf(state, 'code')} in Redis.`);
  }
}

function checkDevices(evidence: Evidence, findings: Findings): void {
  const stored = hashesOf(evidence.state, 'device');
  for (const [id, folded] of foldDevices(evidence)) {
    findings.examine();
    const hash = stored.get(id);
    const stage = Number(textOf(hash, 'stop_from') || textOf(hash, 'epoch') || 0);
    if (stage !== folded.stage) {
      findings.blame('state-differs', `The device ${id} has rank ${folded.stage} by the log, `
        + `${stage} in Redis.`);
    }
    if (hash !== undefined && textOf(hash, 'transport_id') !== folded.transportId) {
      findings.blame('state-differs', `The device ${id} carries transport ${folded.transportId} `
        + `by the log, ${textOf(hash, 'transport_id')} in Redis.`);
    }
  }
}

function checkFixes(evidence: Evidence, findings: Findings): void {
  const stored = hashesOf(evidence.state, 'last-fix');
  for (const [id, folded] of foldFixes(evidence)) {
    findings.examine();
    const fix = JSON.parse(textOf(stored.get(id), 'fix') || '{}') as unknown;
    const [at, latitude, longitude] = ['timestamp', 'latitude', 'longitude']
      .map((name) => Number(fieldOf(fix, name)));
    const isSame = at === folded.timestamp && latitude === folded.latitude
      && longitude === folded.longitude;
    if (isSame) continue;
    findings.blame('state-differs', `The last position of ${id} is ${JSON.stringify(folded)} by `
      + `the log, ${JSON.stringify(fix)} in Redis.`);
  }
}

/** Hashes of one kind by what comes after the kind in their key. */
function hashesOf(state: StateDump, kind: string): ReadonlyMap<string, unknown> {
  const found = [...state].filter(([key, value]) => kindOf(key) === kind && isFields(value));
  return new Map(found.map(([key, value]) => [key.split(':').slice(2).join(':'), value]));
}
