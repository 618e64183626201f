/**
 * What a sender may have meant otherwise, though the interface takes it: every code that a warning
 * may have, with what it means and what to do. docs/reference/warnings.md shows them.
 */
export const WARNINGS = {
  swapped_coordinates: {
    meaning: 'The place lies outside of its country, and inside with latitude and longitude exchanged.',
    action: 'Exchange latitude and longitude.',
  },
  outside_country: {
    meaning: 'The place lies outside of the country that it names.',
    action: 'Compare the signs of both numbers and country_id; a vehicle abroad has the country where it is.',
  },
  zero_position: {
    meaning: 'Latitude and longitude are both 0: a receiver without a fix says so.',
    action: 'Leave out what has no fix; it never becomes a last position.',
  },
  implausible_value: {
    meaning: 'A number is outside of what its unit allows, such as a negative speed or a bearing of 400.',
    action: 'Compare the unit and the field; leave out what is not known.',
  },
  speed_unit: {
    meaning: 'Speeds are 3.6 times what the positions say, or a 3.6th: one of them is in meters per second.',
    action: 'Send telemetry.speed in kilometers per hour.',
  },
  clock_hours_off: {
    meaning: 'The newest time is whole hours away from now: a local time may have been sent as UTC.',
    action: 'Send seconds since 1970 in UTC, and date-times with their offset.',
  },
  future_time: {
    meaning: 'A time is more than five minutes ahead of now.',
    action: 'Set the clock of the device; what is a day ahead is kept with the outliers.',
  },
  stale_time: {
    meaning: 'The newest time is more than a day old.',
    action: 'Nothing, where old data are sent late on purpose; else compare the clock and the unit.',
  },
  reversed_times: {
    meaning: 'An event ends before it starts.',
    action: 'Exchange start_date and end_date.',
  },
  misspelt_field: {
    meaning: 'A field is unknown here, and its name is near to one that is known.',
    action: 'Rename it; under its own name no one reads it.',
  },
  misplaced_field: {
    meaning: 'A field is unknown here, and known in another object of the body.',
    action: 'Move it to where the warning says.',
  },
  unknown_code: {
    meaning: 'The code of a notification is none of the interface.',
    action: 'Ask the operator whether this deployment knows it; else it changes no status.',
  },
} as const satisfies Readonly<Record<string, {
  readonly meaning: string; readonly action: string;
}>>;

/** The code of a warning. */
export type WarningCode = keyof typeof WARNINGS;

/** One warning: RFC 6901 pointer into the body, its code, and a sentence for people. */
export interface Warning {
  readonly pointer: string;
  readonly code: WarningCode;
  readonly message: string;
}

/** The names that a schema knows for the members of a value, at every depth. */
export interface NameTree {
  /** Undefined where the schema names no member, so that any is right. */
  readonly members: ReadonlyMap<string, NameTree> | undefined;
  /** What the items of a list have. */
  readonly items: NameTree | undefined;
}

/** West, south, east and north of a part of a country, in degrees; none crosses 180 degrees. */
export type CountryBox = readonly [west: number, south: number, east: number, north: number];

/** Warnings about a body: the first of each code, and how many there are of all. */
export interface FoundWarnings {
  readonly listed: readonly Warning[];
  readonly found: number;
}

/** A call whose body is taken. */
export interface TakenBody {
  /** Operation of the catalog. */
  readonly operation: string;
  readonly body: unknown;
  /** The country of its query, where it has one. */
  readonly countryId: string | undefined;
  readonly nowMs: number;
}

/** What a body is compared with. */
export interface WarningFacts {
  readonly names: NameTree | undefined;
  /** Boxes around all parts of a country, by its id in any form; none of an unknown one. */
  readonly boxesOf: (countryId: string) => readonly CountryBox[];
  readonly isKnownCode: (code: string) => boolean;
}

/** Finds what may be meant otherwise in a body that is taken. */
export type FindWarnings = (taken: TakenBody) => FoundWarnings;
