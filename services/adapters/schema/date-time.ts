const DATE_TIME = new RegExp(
  '^(\\d{4})-(\\d{2})-(\\d{2})[Tt](\\d{2}):(\\d{2}):(\\d{2})(?:\\.\\d+)?'
  + '(?:[Zz]|([+-])(\\d{2})(?::?(\\d{2}))?)$',
);

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const OFFSET_MINUTES_MAX = 14 * 60;

/**
 * True for a date-time of our contract (decisions.md, Times): ISO 8601 with seconds and an offset
 * `Z`, `+03:00`, `+0300` or `+03`, of at most 14 hours. Stricter than the libraries: the day must
 * exist, and there is no leap second and no year 0000, which readers after us could not keep.
 */
export function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number, number, number, number, number, number,
  ];
  if (year < 1 || month < 1 || month > 12) return false;
  if (day < 1 || day > daysOf(year, month)) return false;
  if (hour > 23 || minute > 59 || second > 59) return false;
  const offsetHours = Number(parts[8] ?? 0);
  const offsetMinutes = Number(parts[9] ?? 0);
  return offsetMinutes <= 59 && offsetHours * 60 + offsetMinutes <= OFFSET_MINUTES_MAX;
}

function daysOf(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeapYear ? 29 : DAYS_OF_MONTH[month - 1] ?? 0;
}
