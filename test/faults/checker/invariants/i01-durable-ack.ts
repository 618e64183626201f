import type { Evidence, LogEntry, ClientTry } from '../evidence.ts';
import {
  deadEntries, fieldOf, groupBy, itemName, entryName, entriesByMark, recordsOf, sentItems, textOf,
  tryName,
} from '../read-evidence.ts';
import { owedDeadLetters } from '../own-ends.ts';
import type { InvariantVerdict } from '../report.ts';
import { TOPIC } from '../topics.ts';
import { openFindings, type Findings } from '../verdict.ts';

/**
 * I1 Durable ack: what was answered 2xx is in the log, and every item of it ends in exactly one row
 * of its view. Clients of a run send good items only, so none of them may become a dead letter, but
 * at a record where a seeded defect ended processes.
 */
export function durableAck(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I1');
  if (evidence.run.allows.includes('log-lost')) return findings.verdict();
  checkItems(evidence, findings);
  checkDecisions(evidence, findings);
  return findings.verdict();
}

function checkItems(evidence: Evidence, findings: Findings): void {
  const entries = entriesByMark(evidence);
  const rows = groupBy(evidence.rows, itemName);
  const copies = groupBy(evidence.rows, (row) => [itemName(row), row.record_id].join(' '));
  const dead = deadEntries(evidence);
  const owed = owedDeadLetters(evidence);
  const explained = explainedEntries(evidence);
  const isStill = evidence.run.allows.includes('stands-still');
  const done = new Set<string>();
  for (const { item, by } of sentItems(evidence.tries)) {
    const name = itemName(item);
    if (by.outcome !== 'ok' || done.has(name)) continue;
    done.add(name);
    findings.examine();
    const found = entries.get(`${item.kind} ${item.mark}`) ?? [];
    if (found.length === 0) {
      findings.blame('lost', `${tryName(by)} was accepted, but ${name} is nowhere in the log.`);
      continue;
    }
    const given = found.find((entry) => dead.has(entryName(entry)));
    if (given !== undefined && !owed.has(entryName(given))) {
      findings.blame('undue-dead-letter', `${name} of ${tryName(by)} was accepted as good, but `
        + `${entryName(given)} is in the dead letters.`);
    }
    if (isStill || given !== undefined) continue;
    const isAccounted = item.kind === 'notification'
      ? found.every((entry) => explained.has(entryName(entry)) && copies.has(copyName(name, entry)))
      : rows.has(name);
    if (!isAccounted) {
      findings.blame('unaccounted', `${name} of ${tryName(by)} is in the log at ${list(found)}, `
        + 'but in no view and in no dead letter.');
    }
  }
  for (const [name, own] of copies) {
    if (own.length > 1) findings.blame('duplicate', `${name} stands ${own.length} times in its view.`);
  }
}

/** Every record of a notification has a row of its own: a repeat is an outcome of its own. */
function copyName(name: string, { partition, offset }: LogEntry): string {
  return `${name} ${partition}@${offset}`;
}

/** Notifications of which the log has the outcome. */
function explainedEntries(evidence: Evidence): ReadonlySet<string> {
  return new Set(recordsOf(evidence, TOPIC.journeys).map(({ value }) => {
    const place = fieldOf(value, 'notification');
    return entryName({
      topic: TOPIC.notifications,
      partition: Number(fieldOf(place, 'partition')),
      offset: Number(fieldOf(place, 'offset')),
    });
  }));
}

/** A decision that was answered is a fact in the log. */
function checkDecisions(evidence: Evidence, findings: Findings): void {
  const facts = new Set<string>();
  for (const entry of evidence.log) for (const name of factsIn(entry)) facts.add(name);
  for (const each of evidence.tries) {
    const fact = each.outcome === 'ok' ? factOf(each, facts) : undefined;
    if (fact === undefined) continue;
    findings.examine();
    if (!facts.has(fact)) {
      findings.blame('lost', `${tryName(each)} was answered, but the log has no ${fact}.`);
    }
  }
}

/** What a successful call must have left in the log; undefined when it need not leave anything. */
function factOf(each: ClientTry, facts: ReadonlySet<string>): string | undefined {
  const { op, args, body, status } = each;
  const device = textOf(body, 'id') || (args.device_id ?? '');
  switch (op) {
    case 'register': return `DeviceRegistered ${device}`;
    case 'start': return `DeviceTrackingStarted ${device}`;
    case 'stop': return `DeviceTrackingStopped ${device}`;
    case 'issue-token': return `TokenIssued ${args.subject_token_sha256 ?? ''}`;
    case 'revoke-token': {
      const token = args.subject_token_sha256 ?? '';
      return facts.has(`TokenIssued ${token}`) ? `TokenRevoked ${token}` : undefined;
    }
    case 'authorize': return `ShipmentAuthorized ${textOf(body, 'tracking_number')}`;
    case 'cancel': return `ShipmentCancelled ${args.transport_order_id ?? ''}`;
    case 'command':
      return status === 202 ? `ProviderCommandIssued ${textOf(body, 'command_id')}` : undefined;
    case 'send-locations':
    case 'send-events':
    case 'send-deferred-events':
    case 'send-deliveries':
    case 'push-notifications': return undefined;
  }
}

function factsIn({ value }: LogEntry): readonly string[] {
  const type = textOf(value, 'type');
  const names = [
    'device_id', 'token_hash', 'tracking_number', 'transport_order_id', 'command_id',
  ];
  return names.map((name) => `${type} ${textOf(value, name)}`);
}

function list(entries: readonly LogEntry[]): string {
  return entries.map(entryName).join(', ');
}
