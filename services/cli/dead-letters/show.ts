import { formatRecordId } from '../../kernel/record-id.ts';
import type { Report } from '../ports.ts';
import { hintOf } from './hints.ts';
import { newestReason, unframed, type Letter } from './dead-letter.ts';
import type { LetterPorts } from './ports.ts';
import { readValues } from './read-dead-letters.ts';

/** One line that names a letter. */
export function told(letter: Letter): string {
  const { id, topic, key } = letter;
  return `${id}  ${topic}  key ${key ?? '(none)'}  ${newestReason(letter).code}`;
}

/** Letters by signature, most of them first, with a sample and what to do. */
export function listSignatures(letters: readonly Letter[]): Report {
  const reasons = letters.flatMap((letter) => (
    letter.reasons.map((reason) => ({ letter, reason }))));
  const groups = Map.groupBy(reasons, ({ reason }) => reason.signature);
  const rows = [...groups].map(([signature, own]) => {
    const times = own.map(({ reason }) => reason.at_ms);
    const newest = own.reduce((a, b) => (b.reason.at_ms >= a.reason.at_ms ? b : a));
    const { stage, code, detail } = newest.reason;
    return {
      signature, topic: newest.letter.topic, stage, code, detail,
      workers: [...new Set(own.map(({ reason }) => reason.worker))].sort(),
      letters: own.length,
      open: own.filter(({ letter }) => letter.state === 'open').length,
      first_at: isoOf(Math.min(...times)),
      last_at: isoOf(Math.max(...times)),
      sample: newest.letter.id,
      hint: hintOf(code),
    };
  }).sort((a, b) => b.letters - a.letters);
  const lines = rows.flatMap((row) => [
    `${row.signature}  ${row.letters} letters (${row.open} open)  ${row.topic}  `
      + `${row.stage} ${row.code}  by ${row.workers.join(', ')}`,
    `  ${row.detail}`,
    `  ${row.first_at} to ${row.last_at}, for example ${row.sample}`,
    `  ${row.hint}`,
  ]);
  return { value: rows, lines: rows.length === 0 ? ['No dead letters.'] : lines, exitCode: 0 };
}

/** Letters one by one, without their values. */
export function listLetters(letters: readonly Letter[]): Report {
  return {
    value: letters.map(plain),
    lines: letters.map((letter) => `${told(letter)}  ${letter.state}`),
    exitCode: 0,
  };
}

/** Everything about one letter, its value included: this may be personal data. */
export async function showLetter(ports: LetterPorts, letter: Letter): Promise<Report> {
  const values = await readValues(ports.reader, new Set([letter.id]));
  const value = {
    ...plain(letter),
    hint: hintOf(newestReason(letter).code),
    ...bodyOf(values.get(letter.id), letter),
  };
  const lines = Object.entries(value).map(([name, each]) => (
    `${name.padEnd(14)} ${typeof each === 'string' ? each : JSON.stringify(each)}`
  ));
  return { value, lines, exitCode: 0 };
}

function bodyOf(value: Buffer | undefined, { isFramed }: Letter): object {
  if (value === undefined) return { value: null };
  const text = isFramed ? textOf(unframed(value)) : undefined;
  return text === undefined ? { value_base64: value.toString('base64') } : { value: text };
}

/** The text of bytes that are UTF-8 to the last one. */
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

function plain(letter: Letter) {
  const { id, topic, place, first, key, headers, valueBytes, state, settled_at_ms } = letter;
  return {
    id, topic, key: key ?? null, state,
    ...(settled_at_ms === undefined ? {} : { settled_at: isoOf(settled_at_ms) }),
    ...(first === place ? {} : { first_place: formatRecordId(first) }),
    value_bytes: valueBytes,
    headers,
    reasons: letter.reasons.map(({ at_ms, ...reason }) => ({ ...reason, at: isoOf(at_ms) })),
  };
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
