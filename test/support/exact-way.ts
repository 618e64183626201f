import type { LocationsBody } from '../../schemas/generated/types.ts';
import { createReadJson } from '../../services/adapters/http/json/read-json.ts';
import { loadSchemas } from '../../services/adapters/schema/load-schemas.ts';

/** A body as the exact path reads it: `undefined` when it refuses. */
export type ExactWay = (bytes: Buffer) => {
  readonly deviceId: string; readonly items: number; readonly canonical: Uint8Array;
} | undefined;

/** The exact path of bodies of locations, made of the very parts of the gateway. */
export function openExactWay(): ExactWay {
  const readJson = createReadJson();
  const check = loadSchemas().checkOf('LocationsBody');
  return (bytes) => {
    const reading = readJson(bytes);
    if (!reading.ok || check(reading.value) !== undefined) return undefined;
    const { device_id, locations } = reading.value as LocationsBody;
    return { deviceId: device_id, items: locations.length, canonical: reading.canonical };
  };
}
