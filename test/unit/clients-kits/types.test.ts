import { describe, expect, it } from 'vitest';
import { LIST_CALLS } from '../../../services/clients/typescript/src/batches.ts';
import { BODY_BYTES_MAX, DEFAULTS } from '../../../services/clients/typescript/src/options.ts';
import type * as kit from '../../../services/clients/typescript/src/index.ts';
import type {
  DeliveryLocation, IngestResource, LocationFix, LocationsBody, ProblemDetails, TelemetryEvent,
} from '../../../schemas/generated/types.ts';
import { readFileSync } from 'node:fs';

type Deep<T> = T extends readonly (infer Item)[] ? readonly Deep<Item>[]
  : T extends object ? { readonly [Name in keyof T]: Deep<T[Name]> } : T;

// Wrong types do not compile: what the kit sends is what the schemas take, and what they give it
// reads.
const fix = (sent: kit.LocationFix): Deep<LocationFix> => sent;
const delivered = (sent: kit.DeliveryFix): Deep<DeliveryLocation> => sent;
const event = (sent: kit.TelemetryEvent): Deep<TelemetryEvent> => sent;
const receipt = (read: IngestResource): kit.Receipt => read;
const problem = (read: ProblemDetails): kit.Problem => read;
// And no member of a fix is missing in the kit.
const members: Readonly<Record<keyof LocationFix, true>>
  & Readonly<Record<keyof kit.LocationFix, true>> = {
  timestamp: true, country_id: true, latitude: true, longitude: true, altitude: true,
  accuracy: true,
  bearing: true, bearing_accuracy: true, metadata: true, telemetry: true,
};

interface Document {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, {
    readonly properties: Readonly<Record<string, { readonly maxItems?: number }>>;
  }>> };
}

describe('the kit and the OpenAPI document', () => {
  const document = JSON.parse(
    readFileSync(new URL('../../../schemas/generated/openapi.json', import.meta.url), 'utf8'),
  ) as Document;

  it('have the same paths', () => {
    for (const { path } of Object.values(LIST_CALLS)) {
      expect(Object.keys(document.paths)).toContain(path('{provider}'));
    }
  });

  it('have the same greatest numbers of items', () => {
    const most = (schema: string, member: string): number | undefined => (
      document.components.schemas[schema]?.properties[member]?.maxItems
    );
    expect(most('LocationsBody', 'locations')).toBe(LIST_CALLS.locations.itemsMax);
    expect(most('TelemetryEventsBody', 'events')).toBe(LIST_CALLS.events.itemsMax);
    expect(most('DeliveryLocationsBody', 'locations')).toBe(LIST_CALLS['delivery-locations'].itemsMax);
  });

  it('have the limits of the page, and the kit is below its rates', () => {
    const page = readFileSync(new URL('../../../docs/reference/limits.md', import.meta.url), 'utf8');
    const rate = (name: string): number => (
      Number(new RegExp(`\\| \`${name}\` \\| (\\d+) \\|`).exec(page)?.[1])
    );
    expect(page).toContain(`| A body, after decompression | ${BODY_BYTES_MAX} bytes |`);
    expect(DEFAULTS.rates).toEqual({
      callsPerSecond: rate('client') * 0.9, itemsPerSecond: rate('client-locations') * 0.9,
      bytesPerSecond: Math.floor(rate('client-bytes') * 0.9),
      deviceCallsPerSecond: rate('device') * 0.9,
    });
  });

  it('have the same types', () => {
    const body: Deep<LocationsBody> = {
      device_id: 'd1', post_timestamp: 1,
      locations: [fix({ timestamp: 1, country_id: 'BR', latitude: 1, longitude: 2 })],
    };
    expect(body.locations).toHaveLength(1);
    expect([delivered, event, receipt, problem]).toHaveLength(4);
    expect(Object.keys(members)).toHaveLength(10);
  });
});
