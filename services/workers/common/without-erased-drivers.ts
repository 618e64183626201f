import type { DeliveryLocationsBody } from '../../../schemas/generated/types.ts';
import { countRows } from '../../domain/delivery/normalize.ts';
import { withoutDrivers } from '../../domain/delivery/without-drivers.ts';
import type { Digest } from '../../kernel/digest.ts';
import { isDriverErased, providerName, type ErasedDrivers } from '../../kernel/erased-drivers.ts';
import { parseExact } from '../../kernel/exact-json.ts';
import { isFields } from '../../kernel/json-fields.ts';
import type { LogRecord } from '../../kernel/record-log.ts';
import { receivedAtMs } from './received-at.ts';

/**
 * A post of deliveries without what is erased of it: the same record when nothing is, undefined
 * when nothing is left. Numbers stay as they were written. A post that cannot be read stays as it
 * is, so that it becomes a dead letter like any other.
 */
export function withoutErasedDrivers(
  record: LogRecord, drivers: ErasedDrivers, digest: Digest,
): LogRecord | undefined {
  const { client = '', provider = '' } = record.headers;
  const erased = drivers.get(providerName(client, provider));
  if (erased === undefined) return record;
  const body = readBody(record);
  if (body === undefined) return record;
  const atMs = receivedAtMs(record);
  const left = withoutDrivers(body, (driver) => isDriverErased(erased, digest, driver, atMs));
  if (left === body) return record;
  return left === undefined ? undefined : {
    ...record,
    value: Buffer.from(JSON.stringify(left)),
    headers: { ...record.headers, n: String(countRows(left)) },
  };
}

function readBody({ value }: LogRecord): DeliveryLocationsBody | undefined {
  try {
    const body = parseExact(value.toString('utf8'));
    const locations = isFields(body) ? body['locations'] : undefined;
    const isPost = Array.isArray(locations) && locations.every((each) => isFields(each));
    return isPost ? body as DeliveryLocationsBody : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
