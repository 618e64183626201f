const DATE_TIME = new RegExp(
  '^(\\d{4})-(\\d{2})-(\\d{2})[Tt](\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d+))?)?'
  + '(?:[Zz]|([+-])(\\d{2})(?::?(\\d{2}))?)$',
);

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const OFFSET_MINUTES_MAX = 14 * 60;
const MINUTE_MS = 60_000;

interface Fields {
  readonly numbers: readonly [number, number, number, number, number, number];
  readonly milliseconds: number;
  readonly offsetMinutes: number;
}

/**
 * True for a date-time of our contract (decisions.md, Date-times): ISO 8601 in its extended form
 * with an offset `Z`, `+03:00`, `+0300` or `+03`, of at most 14 hours; seconds may be missing. The
 * day must exist, and there is no leap second and no year 0000, which no store after us could keep.
 */
export function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return false;
  const { numbers: [year, month, day, hour, minute, second] } = fieldsOf(parts);
  if (year < 1 || month < 1 || month > 12) return false;
  if (day < 1 || day > daysOf(year, month)) return false;
  if (hour > 23 || minute > 59 || second > 59) return false;
  return Number(parts[10] ?? 0) <= 59
    && Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0) <= OFFSET_MINUTES_MAX;
}

/**
 * The moment of such a date-time in milliseconds since 1970; digits beyond the millisecond are
 * dropped. Undefined when the text has not that form.
 */
export function epochMsOf(text: string): number | undefined {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return undefined;
  const { numbers: [year, month, day, hour, minute, second], ...rest } = fieldsOf(parts);
  const moment = new Date(0);
  // Unlike Date.UTC, this does not take the years 0 to 99 for the twentieth century.
  moment.setUTCFullYear(year, month - 1, day);
  moment.setUTCHours(hour, minute, second, rest.milliseconds);
  return moment.getTime() - rest.offsetMinutes * MINUTE_MS;
}

function fieldsOf(parts: RegExpExecArray): Fields {
  const number = (at: number): number => Number(parts[at] ?? 0);
  const offset = number(9) * 60 + number(10);
  return {
    numbers: [number(1), number(2), number(3), number(4), number(5), number(6)],
    milliseconds: Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3)),
    offsetMinutes: parts[8] === '-' ? -offset : offset,
  };
}

function daysOf(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeapYear ? 29 : DAYS_OF_MONTH[month - 1] ?? 0;
}
