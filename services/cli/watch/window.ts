import { wrongValue } from '../../adapters/command-line/command-line.ts';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const WINDOW = /^(\d{1,6})([smhd])$/;

/** Milliseconds of a window such as 30s, 5m, 2h or 7d. */
export function windowFrom(text: string): number {
  const [, amount, unit] = WINDOW.exec(text) ?? [];
  const ms = Number(amount) * UNITS[unit as keyof typeof UNITS];
  return ms > 0 ? ms : wrongValue('It must be a time such as 30s, 5m or 2h.');
}
