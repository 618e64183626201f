const BODIES = 64;

/** Different bodies of so many locations, as devices send them: all with telemetry. */
export function bodiesOf(locations: number): readonly Buffer[] {
  return Array.from({ length: BODIES }, (_, body) => Buffer.from(JSON.stringify({
    device_id: `6f1c2d3e-4b5a-5c6d-8e7f-${String(100_000_000_000 + body)}`,
    post_timestamp: 1_764_000_005 + body,
    locations: Array.from({ length: locations }, (_item, at) => locationOf(body * 1_000 + at)),
  })));
}

function locationOf(n: number): object {
  const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
  const timestamp = 1_764_000_000 + n;
  return {
    timestamp, country_id: 'BR', latitude: rounded(-34.6 + n * 0.0012345, 7),
    longitude: rounded(-58.4 + n * 0.0023456, 7), altitude: rounded((n * 7.3) % 900, 1),
    accuracy: 2 + (n % 20), bearing: (n * 13) % 360, bearing_accuracy: 5,
    ...(n % 3 === 0 ? { metadata: [{ name: 'satellites', value: String(n % 20) }] } : {}),
    telemetry: {
      timestamp, ignition: n % 10 > 0, odometer: rounded(10_000 + n * 0.37, 1),
      speed: rounded((n * 1.7) % 110, 1), speed_accuracy: 0.5, engine_rpm: 700 + (n % 2_500),
      engine_temperature: 88.5, air_temperature: rounded((n * 0.1) % 40, 1), direction: 'NNE',
      fuel_level: rounded(100 - (n % 1_000) / 10, 1), battery_level: 97.5,
    },
  };
}
