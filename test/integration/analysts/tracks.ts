import type { NaiveFix } from '../../support/naive-days/naive-days.ts';

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
