const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const WINDOW = /^(\d{1,6})([smhd])$/;

/** Milliseconds of a window such as 30s, 5m, 2h or 7d; undefined for anything else. */
export function windowMs(text: string): number | undefined {
  const [, amount, unit] = WINDOW.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  const ms = Number(amount) * UNITS[unit as keyof typeof UNITS];
  return ms > 0 ? ms : undefined;
}

/** A whole number of at least 1; undefined for anything else. */
export function countOf(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
