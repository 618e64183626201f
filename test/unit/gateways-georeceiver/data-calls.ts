import { createIds } from '../../../services/adapters/system/system.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import type { Call } from '../../../services/kernel/http.ts';
import { callOf } from '../../support/calls.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';

/** An id of an accepted call. */
export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Time of every call here, in ms. */
export const NOW_MS = 1_764_000_010_123;

/** Ports of a data operation in memory. */
export function dataPorts(): { log: FakeRecordLog; ids: ReturnType<typeof createIds> } {
  return { log: fakeRecordLog(), ids: createIds({ nowMs: () => NOW_MS }) };
}

/** An admitted call with this body, by default for a device that is tracked. */
export function dataCall(body: unknown, device: Call['device'] = { epoch: 2, transportId: '77' }): Call {
  return {
    ...callOf({
      nowMs: NOW_MS, body, params: { provider: 'acme' }, query: { country_id: 'BR' },
    }),
    device,
  };
}

/** What an operation says about itself, as the catalog says it. */
export function asInCatalog(operation: Operation): object {
  const { method, authentication, audience, scope, bodySchema, bodyBytesMax } = operation;
  const path = operation.path.replace(/:(\w+)/g, '{$1}');
  return { method, path, authentication, audience, scope, bodySchema, bodyBytesMax };
}
