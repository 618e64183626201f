import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { isErasedPost } from '../../domain/personal/erased-posts.ts';
import { formatRecordId } from '../../kernel/record-id.ts';
import type { Report } from '../ports.ts';
import { line, tableOf, timeOf } from '../print/lines.ts';
import { membersOf } from '../print/members.ts';
import {
  newestReason, unframed, type DeadLetterSummary,
} from '../../operator/dead-letters/dead-letter.ts';
import { hintOf } from '../../operator/dead-letters/hints.ts';
import { groupBySignature } from '../../operator/dead-letters/signatures.ts';
import type { DeadLetterPorts } from './ports.ts';
import { readValues } from './read-dead-letters.ts';
import { readErasedDrivers, readErasedUntil } from '../../kernel/read-erasures.ts';

/** One line that names a dead letter. */
export function deadLetterLine(deadLetter: DeadLetterSummary): string {
  const { id, topic, key } = deadLetter;
  return `${id}  ${topic}  key ${key ?? '(none)'}  ${newestReason(deadLetter).code}`;
}

/** Dead letters by signature, most of them first, with a sample and what to do. */
export function listSignatures(deadLetters: readonly DeadLetterSummary[]): Report {
  const rows = groupBySignature(deadLetters).map((group) => {
    const { signature, topic, stage, code, detail, workers, open, hint } = group;
    return {
      signature, topic, stage, code, detail, workers, dead_letters: group.deadLetters, open,
      first_at: isoOf(group.firstAtMs), last_at: isoOf(group.lastAtMs),
      sample: group.sample.id, hint,
    };
  });
  const lines = rows.flatMap((row) => [
    `${row.signature}  ${row.dead_letters} dead letters (${row.open} open)  ${row.topic}  `
      + `${row.stage} ${row.code}  by ${row.workers.join(', ')}`,
    `  ${row.detail}`,
    line`  ${timeOf(row.first_at)} to ${timeOf(row.last_at)}, for example ${row.sample}`,
    `  ${row.hint}`,
  ]);
  return { value: rows, lines: rows.length === 0 ? ['No dead letters.'] : lines, exitCode: 0 };
}

/** Dead letters one by one, without their values. */
export function listDeadLetters(deadLetters: readonly DeadLetterSummary[]): Report {
  return {
    value: deadLetters.map(plain),
    lines: deadLetters.length === 0 ? ['No dead letters.'] : tableOf(
      ['DEAD_LETTER', 'TOPIC', 'KEY', 'CODE', 'STATE'],
      deadLetters.map((each) => (
        [each.id, each.topic, each.key ?? '(none)', newestReason(each).code, each.state]
      )),
    ),
    exitCode: 0,
  };
}

/** Everything about one dead letter, its value included: this may be personal data. */
export async function showDeadLetter(
  ports: DeadLetterPorts, deadLetter: DeadLetterSummary,
): Promise<Report> {
  const ids = new Set([deadLetter.id]);
  const values = deadLetter.state === 'open'
    ? await ports.open.values(ids) : await readValues(ports.reader, ids);
  const value = {
    ...plain(deadLetter),
    hint: hintOf(newestReason(deadLetter).code),
    ...await isErased(ports, deadLetter)
      ? { value: null, erased: true } : bodyOf(values.get(deadLetter.id), deadLetter),
  };
  return { value, lines: membersOf(value), exitCode: 0 };
}

/** The log keeps dead letters for their time; no one is shown what was erased of them. */
async function isErased(
  { reader, digest }: DeadLetterPorts, { topic, key = '', headers }: DeadLetterSummary,
): Promise<boolean> {
  const erasures = {
    tracks: await readErasedUntil(reader, TOPICS.erasedTracks.name),
    drivers: await readErasedDrivers(reader, TOPICS.erasedDrivers.name),
  };
  return isErasedPost({ topic, key, headers }, erasures, digest);
}

function bodyOf(value: Buffer | undefined, { isFramed }: DeadLetterSummary): object {
  if (value === undefined) return { value: null };
  const text = isFramed ? textOf(unframed(value).value) : undefined;
  return text === undefined ? { value_base64: value.toString('base64') } : { value: text };
}

/** The text of bytes that are UTF-8 to the last one. */
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

function plain(deadLetter: DeadLetterSummary) {
  const { id, topic, recordId, first, key, headers, valueBytes, state, closed_at_ms } = deadLetter;
  return {
    id, topic, key: key ?? null, state,
    ...(closed_at_ms === undefined ? {} : { closed_at: isoOf(closed_at_ms) }),
    ...(first === recordId ? {} : { first_record_id: formatRecordId(first) }),
    value_bytes: valueBytes,
    headers,
    reasons: deadLetter.reasons.map(({ at_ms, ...reason }) => ({ ...reason, at: isoOf(at_ms) })),
  };
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
