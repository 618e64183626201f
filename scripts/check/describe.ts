import type { GateVerdict } from './gate.ts';

const complaintsShownMax = 200;

/** One line per gate with the work it saw, and under it what it complains about. */
export function describeVerdict(verdict: GateVerdict): string {
  const mark = verdict.passed ? 'ok  ' : 'FAIL';
  const work = `${verdict.seen} ${verdict.unit} in ${verdict.seconds.toFixed(1)} s`;
  const count = verdict.complaints.length;
  const head = `${mark} gate ${verdict.name}: ${work}${count > 0 ? `, ${count} complaints` : ''}`;
  const shown = verdict.complaints.slice(0, complaintsShownMax).map((text) => `       ${text}`);
  const hidden = count - shown.length;
  const rest = hidden > 0 ? [`       and ${hidden} more`] : [];
  return [head, ...shown, ...rest].join('\n');
}
