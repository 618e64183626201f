import type { PartyExamination } from '../../../schemas/generated/types.ts';
import { isInProgress } from '../../domain/examination/examination.ts';
import type { AddressExamination, ExaminedCheck } from '../../kernel/examinations.ts';
import type { PartyRecorded } from '../../kernel/parties.ts';

type Shown = NonNullable<PartyExamination['examination']>;

const LOST = 'no process ended it in time; ask for another one';

/** A party of the caller as it is shown, with its newest examination: no secret is in it. */
export function examinationResource(
  { party_id, name, kind, base_url }: PartyRecorded, examination: AddressExamination | undefined,
  nowMs: number,
): PartyExamination {
  return {
    party_id, name, role: kind, address: withoutLogin(base_url),
    ...(examination === undefined ? {} : { examination: shown(examination, nowMs) }),
  };
}

function shown(examination: AddressExamination, nowMs: number): Shown {
  const { askedAtMs, startedAtMs, endedAtMs, planned = 0, checks } = examination;
  const isOpen = isInProgress(examination, nowMs);
  const stopped = examination.stopped
    ?? (endedAtMs === undefined && !isOpen ? LOST : undefined);
  const count = (outcome: ExaminedCheck['outcome']): number => (
    checks.filter((check) => check.outcome === outcome).length
  );
  return {
    status: !isOpen ? 'ended' : startedAtMs === undefined ? 'waiting' : 'running',
    asked_at: isoOf(askedAtMs),
    ...(startedAtMs === undefined ? {} : { started_at: isoOf(startedAtMs) }),
    ...(endedAtMs === undefined ? {} : { ended_at: isoOf(endedAtMs) }),
    ...(stopped === undefined ? {} : { stopped }),
    checks_planned: planned,
    passed: count('passed'), failed: count('failed'), advice: count('advice'),
    skipped: count('skipped'),
    checks: checks.map(({ reasons, ...check }) => ({ ...check, reasons: [...reasons] })),
  };
}

/** An address may name a user and a password; they are a secret of the party. */
function withoutLogin(address: string): string {
  const url = URL.parse(address);
  return url === null ? '' : `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
