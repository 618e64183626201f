import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fleet that fills the tables: so many devices on so many days until yesterday. */
export interface ScaleFleet {
  readonly devices: number;
  readonly days: number;
  /** The first day, as days since 1970. */
  readonly firstDay: number;
}

/** Days of every fleet. */
const DAYS = 30;
const FIXES_PER_POST = 20;
const FIX_SECONDS = 30;
const POSTS_PER_DAY = 84;
/** Fixes of a device on a day: one each 30 s for 14 hours. */
export const FIXES_PER_DAY = FIXES_PER_POST * POSTS_PER_DAY;
const DEVICES_MIN = 10;

/** The fleet that has about so many fixes; its last day is yesterday. */
export function fleetOf(rows: number, nowMs: number): ScaleFleet {
  const today = Math.floor(nowMs / 86_400_000);
  const devices = Math.max(Math.round(rows / (DAYS * FIXES_PER_DAY)), DEVICES_MIN);
  return { devices, days: DAYS, firstDay: today - DAYS };
}

const sqlOf = (name: string): string => (
  readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8')
);

/** What the statements take. */
type PostParameters = Readonly<Record<
  'devices' | 'day' | 'from' | 'to' | 'first_day' | 'fixes' | 'step' | 'posts', number
>>;

/** The statements that fill the tables with posts; {@link parametersOfPosts} says which. */
export const INSERTS: readonly string[] = ['in-locations', 'in-ingest-records'].map((name) => (
  sqlOf(name).replace('POSTS', () => sqlOf('posts'))
));

/** One day of some devices. */
export function parametersOfPosts(
  { devices, firstDay }: ScaleFleet, day: number, from: number, to: number,
): PostParameters {
  return {
    devices, day, from, to, first_day: firstDay, fixes: FIXES_PER_POST, step: FIX_SECONDS,
    posts: POSTS_PER_DAY,
  };
}
