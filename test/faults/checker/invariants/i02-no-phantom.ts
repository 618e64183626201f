import type { Evidence, LooseFields, StoredRow, ClientTry } from '../evidence.ts';
import {
  canonical, groupBy, itemName, marksIn, entryName, sentItems, textOf, tryName, type SentItem,
} from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { TOPIC, TOPIC_OF } from '../topics.ts';
import { openFindings, type Findings } from '../verdict.ts';

/**
 * I2 No phantom: every row and every fact goes back to a call that was not refused, and says what
 * was sent. What was refused with a 4xx is in no store; an unknown outcome is there at most once.
 */
export function noPhantom(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I2');
  const sent = groupBy(sentItems(evidence.tries), ({ item }) => itemName(item));
  for (const row of evidence.rows) checkRow(row, sent.get(itemName(row)) ?? [], findings);
  checkLog(evidence, findings);
  checkFacts(evidence, findings);
  return findings.verdict();
}

function checkRow(row: StoredRow, sent: readonly SentItem[], findings: Findings): void {
  findings.examine();
  const first = sent[0];
  if (first === undefined) {
    findings.blame('phantom', `A row of ${itemName(row)} is stored, which no client sent.`);
    return;
  }
  if (sent.every(({ by }) => by.outcome === 'fail')) {
    findings.blame('phantom', `${itemName(row)} is stored, but ${tryName(first.by)} was refused.`);
  }
  const wrong = differing(row.content, first.item.content);
  if (wrong.length > 0) {
    findings.blame('altered', `${itemName(row)} of ${tryName(first.by)} is stored with another `
      + `${wrong.join(', ')}: ${wrong.map((name) => canonical(row.content[name])).join(', ')}.`);
  }
}

/** A refused call leaves nothing in the log either. */
function checkLog(evidence: Evidence, findings: Findings): void {
  const outcomes = new Map<string, ClientTry[]>();
  for (const { item, by } of sentItems(evidence.tries)) {
    const name = `${TOPIC_OF[item.kind]} ${item.mark}`;
    outcomes.set(name, [...outcomes.get(name) ?? [], by]);
  }
  for (const entry of evidence.log) {
    for (const mark of marksIn(entry)) {
      const tries = outcomes.get(`${entry.topic} ${mark}`);
      const first = tries?.[0];
      if (tries === undefined || first === undefined) continue;
      findings.examine();
      if (tries.every(({ outcome }) => outcome === 'fail')) {
        findings.blame('phantom',
          `The record ${entryName(entry)} holds ${mark}, but ${tryName(first)} was refused.`);
      }
    }
  }
}

/** Starts, stops and revocations that no client asked for. */
function checkFacts(evidence: Evidence, findings: Findings): void {
  const asked = new Set<string>();
  for (const { op, args, outcome } of evidence.tries) {
    if (outcome === 'fail') continue;
    if (op === 'start' || op === 'stop') asked.add(`${op} ${args.device_id ?? ''}`);
    if (op === 'revoke-token') asked.add(`revoke ${args.subject_token_sha256 ?? ''}`);
  }
  for (const entry of evidence.log) {
    if (entry.topic !== TOPIC.lifecycle && entry.topic !== TOPIC.tokens) continue;
    const fact = askOf(entry.value);
    if (fact === undefined) continue;
    findings.examine();
    if (!asked.has(fact)) {
      findings.blame('phantom', `The fact at ${entryName(entry)} (${fact}) was asked for by no client.`);
    }
  }
}

function askOf(value: LooseFields | undefined): string | undefined {
  switch (textOf(value, 'type')) {
    case 'DeviceTrackingStarted': return `start ${textOf(value, 'device_id')}`;
    case 'DeviceTrackingStopped': return `stop ${textOf(value, 'device_id')}`;
    case 'TokenRevoked': return `revoke ${textOf(value, 'token_hash')}`;
    default: return undefined;
  }
}

/** Names of what the row says otherwise than the item; places to a ten-millionth of a degree. */
function differing(stored: LooseFields, sent: LooseFields): readonly string[] {
  return Object.keys(stored).filter((name) => {
    const [is, was] = [stored[name], sent[name]];
    if (typeof is === 'number' && typeof was === 'number') return Math.abs(is - was) > 2e-7;
    return canonical(is) !== canonical(was);
  });
}
