import type { Evidence, StateDump } from '../evidence.ts';
import { canonical, isFields } from '../read-evidence.ts';
import type { InvariantVerdict } from '../report.ts';
import { openFindings } from '../verdict.ts';

/** Kinds of keys that hold what the log says; others are counters, leases and marks. */
const REBUILT = new Set([
  'client', 'token', 'device', 'entity', 'last-fix', 'traceable', 'party', 'provider-party',
  'carriers', 'command', 'command-key', 'monitoring', 'telemetry-request', 'authorization', 'shipment',
  'finished-shipments', 'overflow',
]);

/**
 * Fields that say who is deciding at the moment, not what is decided, and `v`, the version of an
 * entry: a rebuild writes the same content under new versions.
 */
const PASSING = /^(pending|reserved|stop_from|cancellation|claim)|^v$/;

/** I3 Replay: Redis emptied and brought back from the log holds what it held before. */
export function replayEqual(evidence: Evidence): InvariantVerdict {
  const findings = openFindings('I3');
  const { state, rebuilt } = evidence;
  if (rebuilt === undefined) return findings.verdict();
  const before = keptOf(state);
  const after = keptOf(rebuilt);
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    findings.examine();
    const [was, is] = [before.get(key), after.get(key)];
    if (was === is) continue;
    findings.blame('rebuild-differs', `${key} was ${short(was)} and is ${short(is)} after Redis `
      + 'was emptied and brought back from the log.');
  }
  return findings.verdict();
}

/** What must come back, each value as one text. */
export function keptOf(dump: StateDump): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  for (const [key, value] of dump) {
    if (!REBUILT.has(kindOf(key))) continue;
    const lasting = lastingOf(value);
    if (lasting !== undefined) kept.set(key, canonical(lasting));
  }
  return kept;
}

/** The word after the tag: `{s07}:device:…` is a `device`. */
export function kindOf(key: string): string {
  return key.split(':')[1] ?? '';
}

/** A hash without its passing fields; undefined when nothing else is in it. */
function lastingOf(value: unknown): unknown {
  if (!isFields(value)) return value;
  const isUnconfirmed = value['stop_from'] !== undefined;
  const fields = Object.entries(value)
    .filter(([name]) => !PASSING.test(name))
    // A stop that is claimed but not in the log is enough to deny; the log knows the stage before.
    .map(([name, held]) => [name, name === 'epoch' && isUnconfirmed ? value['stop_from'] : held]);
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function short(text: string | undefined): string {
  if (text === undefined) return 'not there';
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}
