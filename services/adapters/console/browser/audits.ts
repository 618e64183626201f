import type { CommandAudits } from '../../../../schemas/generated/types.ts';

/** What puts dead letters back or away, and what moves into the overflow topic and out of it. */
const SHOWN = ['dlq replay', 'dlq release', 'dlq discard', 'overflow add', 'overflow rm'];
const BACK_MS = 30 * 86_400_000;
const LIMIT = 20;

/** The call for the newest of these commands. */
export function newestAudits(address: string, nowMs: number): string {
  const since = new Date(nowMs - BACK_MS).toISOString();
  const query = new URLSearchParams({ command: SHOWN.join(','), since, limit: String(LIMIT) });
  return `${address}?${query.toString()}`;
}

/** An audit as the cells of a row: when, who, what, about what, how many, why. */
export function auditRow(
  { at, actor, command, subject = '', records, reason = '' }: CommandAudits['audits'][number],
  timeText: (ms: number) => string,
): readonly string[] {
  return [
    timeText(Date.parse(at)), actor, command, subject, records?.toLocaleString('en') ?? '', reason,
  ];
}
