import { unpackFinished } from '../../services/domain/journey/finished.ts';
import type { ShipmentRecord } from '../../services/domain/journey/projection.ts';
import { shipmentIn } from '../../services/state/shipment-fields.ts';
import { formsKey, splitPacked } from '../../services/state/shipment-forms.ts';
import type { FakeStateStore } from './fake-state-store.ts';

/** Every shipment in a store by its number: those alone, and the finished ones. */
export function shipmentsIn(store: FakeStateStore): ReadonlyMap<string, ShipmentRecord> {
  const packed = store.ofKind('finished-shipments').flatMap(({ key, fields }) => (
    [...fields].map(([number, text]) => {
      const { name, rest } = splitPacked(text);
      const form = store.entry(formsKey(key.shard))?.fields.get(name) ?? '';
      return [number, unpackFinished({ form, rest })] as const;
    })
  ));
  const own = store.ofKind('shipment').map(({ key, fields }) => [key.id, shipmentIn(fields)] as const);
  return new Map([...packed, ...own]);
}
