import { expect, it } from 'vitest';
import { nameOfEntry, sha256Hex } from '../../../services/adapters/redis/keys.ts';
import { finishedKey } from '../../../services/state/find-shipments.ts';
import { packShipment } from '../../../services/state/pack-shipment.ts';
import { formsKey } from '../../../services/state/shipment-forms.ts';
import type { Evidence } from '../../faults/checker/evidence.ts';
import { storedShipments } from '../../faults/checker/invariants/i08-finality.ts';

const NOW_MS = 1_764_000_000_000;

it('the checker reads finished shipments as the product packs them', () => {
  const state = {
    status: 'delivered', code: 'EX-DELIVERED', carrier_code: 'D,1', final: true,
    occurred_at_ms: NOW_MS + 7,
  };
  const packed = packShipment(sha256Hex, 'RST1', {
    journey: {
      carrier: 'c', contents: [], state, received_at_ms: NOW_MS,
      last_notification: { topic_id: 't', partition: 3, offset: 12 },
    },
  }, NOW_MS);
  if (packed === undefined) throw new Error('It was not packed.');
  const stored = storedShipments({
    state: new Map<string, unknown>([
      [nameOfEntry(finishedKey('RST1')), { v: '1', RST1: packed.text }],
      [nameOfEntry(formsKey(packed.shard)), { v: '1', [packed.name]: packed.form }],
    ]),
  } as Pick<Evidence, 'state'> as Evidence);
  const { carrier_code: _, ...seen } = state;
  expect(stored).toEqual(new Map([['RST1', seen]]));
});
