import type { NaiveFix } from '../../support/naive-days/naive-days.ts';

/** Midnight UTC of the day on which all data of the queries begin, epoch seconds. */
export const START_TS = Date.parse('2025-11-24T00:00:00Z') / 1_000;

/** A fix as a provider sends it. */
export function sendable(
  { ts, latitude, longitude, accuracy, speed, odometer, ignition }: NaiveFix,
): object {
  const reported = Object.entries({ speed, odometer, ignition })
    .filter(([, value]) => value !== undefined);
  return {
    timestamp: ts, country_id: 'BR', latitude, longitude,
    ...(accuracy === undefined ? {} : { accuracy }),
    ...(reported.length === 0 ? {} : { telemetry: { timestamp: ts, ...Object.fromEntries(reported) } }),
  };
}
