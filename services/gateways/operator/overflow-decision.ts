import type { OverflowDecision } from '../../../schemas/generated/types.ts';
import type { OverflowRecorded } from '../../kernel/overflow.ts';

const SUBJECT = /^(device|provider):(.+)$/s;

/** Whom a decision is about, as `device:ID` or `provider:NAME`. */
export type OverflowSubject = { readonly deviceId: string } | { readonly provider: string };

/** Reads a subject of the form that the schema demands. */
export function overflowSubjectIn(text: string): OverflowSubject {
  const [, kind, name = ''] = SUBJECT.exec(text) ?? [];
  return kind === 'provider' ? { provider: name } : { deviceId: name };
}

/** A decision as operators see it. */
export function overflowDecision(
  { device_id, provider, state, by = 'operator', at_ms, ends_at_ms: endsMs, reason }:
  OverflowRecorded,
): OverflowDecision {
  return {
    subject: provider === undefined ? `device:${device_id ?? ''}` : `provider:${provider}`,
    state, by, since: isoOf(at_ms),
    ...(endsMs === undefined ? {} : { until: isoOf(endsMs) }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
