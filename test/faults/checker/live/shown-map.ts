import type { SeenView } from '../evidence.ts';
import type { FoldedFix } from '../fold-devices.ts';
import { fieldOf } from '../read-evidence.ts';

/** The map of a viewer: last positions by device. */
export type ShownMap = Map<string, FoldedFix>;

/** Members of a row of a device that is known; of another one its provider follows. */
const KNOWN_ROW = 7;

/** A device that came with an event. */
export interface CameDevice {
  readonly device: string;
  /** False where its viewer could not know whose it is. */
  readonly isNamed: boolean;
}

/** Does to a map what its viewer got, and answers which devices came with it. */
export function applyView(map: ShownMap, { event, data }: SeenView): readonly CameDevice[] {
  if (event === 'reset') map.clear();
  if (event !== 'positions') return [];
  const came = listOf(data, 'positions').map((row): CameDevice => {
    const members: readonly unknown[] = Array.isArray(row) ? row : [];
    const [id, timestamp, latitude, longitude] = members;
    const device = String(id);
    const isNamed = map.has(device) || members.length > KNOWN_ROW;
    map.set(device, {
      timestamp: Number(timestamp), latitude: Number(latitude), longitude: Number(longitude),
    });
    return { device, isNamed };
  });
  for (const id of listOf(data, 'gone')) map.delete(String(id));
  return came;
}

/** A list in the data of an event. */
export function listOf(data: unknown, name: string): readonly unknown[] {
  const list = fieldOf(data, name);
  return Array.isArray(list) ? list as readonly unknown[] : [];
}
