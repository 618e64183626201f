import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newestFix } from '../../../services/kernel/newest-fix.ts';

const config = { fixAgeSecondsMax: 1_000 };
const receivedAt = 1_764_000_000;

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '{"timestamp":', ',"timestamp":1,', '[{"timestamp":1', '}', 'ñ'),
);
const seconds = fc.oneof(
  fc.integer({ min: receivedAt - 1_010, max: receivedAt + 310 }),
  fc.constantFrom(receivedAt, receivedAt, 0),
);
const place = fc.constantFrom(0, -0, 12.5, -70.1234567);
const telemetry = fc.record(
  { timestamp: fc.oneof(seconds, fc.double({ noNaN: true })), speed: fc.double(), direction: text },
  { requiredKeys: [] },
);
/** What no schema names is kept in the log, and may look like anything. */
const unknown = fc.oneof(fc.json().map((json) => JSON.parse(json) as unknown),
  fc.array(fc.record({ timestamp: seconds, latitude: place, longitude: place })));
const fix = fc.record(
  {
    timestamp: seconds, latitude: place, longitude: place, telemetry, bearing: fc.integer(),
    metadata: fc.array(fc.record({ name: text, value: text })), extra: unknown,
  },
  { requiredKeys: ['timestamp', 'latitude', 'longitude'] },
).chain((whole) => fc.oneof(
  fc.constant(whole),
  fc.shuffledSubarray(Object.entries(whole), { minLength: Object.keys(whole).length })
    .map((entries) => Object.fromEntries(entries)),
));
const post = fc.record({ device_id: text, locations: fc.array(fix, { minLength: 1 }) }, {
  requiredKeys: ['locations'],
});

describe('The newest fix of a post', () => {
  it('is the same whether the post is parsed or the fix is cut out of it', () => {
    fc.assert(fc.property(post, (body) => {
      const value = Buffer.from(JSON.stringify(body));
      const found = newestFix(
        config, { value, headers: { n: String(body.locations.length) } }, receivedAt,
      );
      // Without the count of the gateway nothing is cut.
      expect(found).toEqual(newestFix(config, { value, headers: {} }, receivedAt));
    }), { numRuns: 500 });
  });
});
