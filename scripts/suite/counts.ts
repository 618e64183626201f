import { wrongValue } from '../../services/adapters/command-line/command-line.ts';

const UNITS: Readonly<Record<string, number>> = { '': 1, 'k': 1e3, 'M': 1e6 };

/** Reads a whole number above 0 of a command line. */
export function countFrom(text: string): number {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : wrongValue('A whole number.');
}

/** Reads a number of rows such as 300k or 100M. */
export function rowsFrom(text: string): number {
  const [, digits = '', unit = ''] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  const rows = Number(digits) * (UNITS[unit] ?? 1);
  return rows > 0 ? rows : wrongValue('Such as 300k or 100M.');
}
