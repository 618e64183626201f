/**
 * Reads a decimal number as it is written. Returns `undefined` for an empty or unreadable field,
 * so that a missing value stays missing and never becomes 0.
 */
export function readNumber(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Rounds a converted unit to six decimals: conversion must not invent digits. */
export function roundConverted(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/**
 * Epoch seconds of an ISO 8601 time with offset (`Z`, `-06:00` or `+0200`, with `T` or a space).
 * Returns `undefined` when it is no real date and time.
 */
export function readInstant(text: string | undefined): number | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d:\d\d)(Z|[+-]\d\d:?\d\d)$/.exec(text ?? '');
  if (parts === null) return undefined;
  const offset = parts[5] ?? 'Z';
  const sign = offset.startsWith('-') ? -1 : 1;
  const minutes = offset === 'Z'
    ? 0
    : sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2)));
  const local = readLocal(Number(parts[1]), Number(parts[2]), Number(parts[3]), parts[4]);
  return local === undefined ? undefined : local - minutes * 60;
}

/** Seconds of a wall-clock time as if it were UTC; `undefined` for a date that does not exist. */
export function readLocal(
  year: number, month: number, day: number, time: string | undefined,
): number | undefined {
  const clock = /^(\d\d):(\d\d):(\d\d)$/.exec(time ?? '');
  if (clock === null) return undefined;
  const [hours, minutes, seconds] = [Number(clock[1]), Number(clock[2]), Number(clock[3])];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1
    && date.getUTCDate() === day;
  return exists ? date.getTime() / 1000 : undefined;
}

/** Rows of a CSV without quoting, as all origin files are; the header row is left out. */
export function readRows(text: string): string[][] {
  const lines = text.split(/\r?\n/);
  return lines.slice(1).filter((line) => line !== '').map((line) => line.split(','));
}
