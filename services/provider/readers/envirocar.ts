import type { Telemetry } from '../../../schemas/generated/types.ts';
import { createTrackCollector, type TrackReader } from './track.ts';
import { readInstant, roundConverted } from './values.ts';

interface Feature {
  readonly geometry: { readonly coordinates: readonly [longitude: number, latitude: number] };
  readonly properties: {
    readonly time: string;
    readonly phenomenons: Readonly<Record<string, { readonly value: number }>>;
  };
}

const OTHERS = [
  'Intake Temperature', 'Engine Load', 'Throttle Position', 'Intake Pressure', 'CO2',
  'Calculated MAF', 'Consumption', 'GPS Speed', 'GPS HDOP', 'GPS VDOP', 'GPS PDOP',
];

/**
 * A petrol car near Bremen with OBD-II, one track per file. Float noise of the origin is kept. A
 * point with GPS fields only carries no telemetry.
 */
export const readEnvirocar: TrackReader = (text, name) => {
  const collector = createTrackCollector('envirocar', 'DE');
  const vehicle = name.replace(/\.json$/, '');
  const { features } = JSON.parse(text) as { readonly features: readonly Feature[] };
  for (const { geometry, properties } of features) {
    const timestamp = readInstant(properties.time);
    if (timestamp === undefined) {
      collector.addUnsendable(vehicle);
      continue;
    }
    const value = (phenomenon: string) => properties.phenomenons[phenomenon]?.value;
    const telemetry = readTelemetry(timestamp, value);
    collector.add(vehicle, {
      timestamp,
      country_id: 'DE',
      latitude: geometry.coordinates[1],
      longitude: geometry.coordinates[0],
      ...present({
        altitude: value('GPS Altitude'),
        accuracy: value('GPS Accuracy'),
        bearing: value('GPS Bearing'),
      }),
      ...(telemetry === undefined ? {} : { telemetry }),
    });
  }
  return collector.tracks();
};

/** `Consumption` is l/h; with the speed it becomes km/L, which does not exist at a standstill. */
function readTelemetry(
  timestamp: number, value: (phenomenon: string) => number | undefined,
): Telemetry | undefined {
  const speed = value('Speed');
  const engine_rpm = value('Rpm');
  if (speed === undefined && engine_rpm === undefined) return undefined;
  const consumption = value('Consumption');
  const moving = speed !== undefined && speed > 0 && consumption !== undefined && consumption > 0;
  const others = OTHERS.flatMap((name) => {
    const number = value(name);
    return number === undefined ? [] : [{ name, value: String(number) }];
  });
  return {
    timestamp,
    ...present({ speed, engine_rpm }),
    ...(moving ? { fuel_consumption: roundConverted(speed / consumption) } : {}),
    others,
  };
}

function present(fields: Record<string, number | undefined>): Record<string, number> {
  const entries = Object.entries(fields).filter(([, number]) => number !== undefined);
  return Object.fromEntries(entries) as Record<string, number>;
}
