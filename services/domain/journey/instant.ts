const DATE_TIME = new RegExp(
  '^(\\d{4})-(\\d{2})-(\\d{2})[Tt](\\d{2}):(\\d{2}):(\\d{2})(?:\\.(\\d+))?'
  + '(?:[Zz]|([+-])(\\d{2})(?::?(\\d{2}))?)$',
);

const MINUTE_MS = 60_000;

/**
 * The moment of a date-time with offset (`Z`, `+03:00`, `+0300`, `+03`) in ms since 1970; digits
 * beyond the millisecond are dropped. Undefined when the text has not that form.
 */
export function epochMsOf(text: string): number | undefined {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7).map(Number);
  const milliseconds = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offset = (Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0)) * MINUTE_MS;
  const moment = new Date(0);
  // Unlike Date.UTC, this does not take the years 0 to 99 for the twentieth century.
  moment.setUTCFullYear(year, month - 1, day);
  moment.setUTCHours(hour, minute, second, milliseconds);
  return moment.getTime() - (parts[8] === '-' ? -offset : offset);
}
