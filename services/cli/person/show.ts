import type { Subject } from '../../kernel/personal.ts';
import { isoOf } from '../inspect/facts.ts';
import { line, timeOf } from '../print/lines.ts';
import { misuse, notFound } from '../noun.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { readPersonalKeys } from './log.ts';
import { recordLines } from './lines.ts';
import { recordsAbout } from './records.ts';

/** Prints every record of the log about some subjects, opened as far as their keys exist. */
export async function show(ports: OperatorPorts, subjects: readonly Subject[]): Promise<Report> {
  if (ports.personal === undefined) return misuse('Set RASTRO_PERSONAL_KEY to open what is sealed.');
  const records = await recordsAbout(ports.reader, ports.personal, subjects);
  const known = await readPersonalKeys(ports.reader, new Set(subjects));
  const about = subjects.join(', ');
  if (records.length === 0 && known.size === 0) {
    return notFound(`The log holds nothing about ${about}.`);
  }
  const erased = [...known].flatMap(([subject, { erasedAtMs, keys }]) => (
    erasedAtMs === undefined ? []
      : [{ subject, erased_at: isoOf(erasedAtMs), keys_left: keys.size }]
  ));
  return {
    value: { subjects, erased, records },
    lines: [
      `About ${about}: ${records.length} records.`,
      ...erased.map(({ subject, erased_at, keys_left }) => (
        line`${subject} was erased at ${timeOf(erased_at)}; ${keys_left} of its keys are left.`
      )),
      ...recordLines(records),
    ],
    exitCode: 0,
  };
}
