import type { SeenView } from '../evidence.ts';
import type { FoldedFix } from '../fold-devices.ts';
import { fieldOf } from '../read-evidence.ts';

/** The map of a viewer: last positions by device. */
export type ShownMap = Map<string, FoldedFix>;

/** Members of a row of a device that is known; of another one its provider follows. */
const KNOWN_ROW = 7;

/** Does to a map what its viewer got; names devices that came without saying whose they are. */
export function applyView(map: ShownMap, { event, data }: SeenView): readonly string[] {
  if (event === 'reset') map.clear();
  if (event !== 'positions') return [];
  const unnamed: string[] = [];
  for (const row of listOf(data, 'positions')) {
    const [id, timestamp, latitude, longitude] = Array.isArray(row) ? row as readonly unknown[] : [];
    const device = String(id);
    if (!map.has(device) && (row as readonly unknown[]).length === KNOWN_ROW) unnamed.push(device);
    map.set(device, {
      timestamp: Number(timestamp), latitude: Number(latitude), longitude: Number(longitude),
    });
  }
  for (const id of listOf(data, 'gone')) map.delete(String(id));
  return unnamed;
}

/** A list in the data of an event. */
export function listOf(data: unknown, name: string): readonly unknown[] {
  const list = fieldOf(data, name);
  return Array.isArray(list) ? list as readonly unknown[] : [];
}
