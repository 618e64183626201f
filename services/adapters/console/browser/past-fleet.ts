import { ask, type GatewayReply } from './ask.ts';
import type { DeviceRow } from './updates.ts';

interface PastPage {
  readonly positions: readonly {
    readonly device_id: string; readonly timestamp: number;
    readonly latitude: number; readonly longitude: number;
  }[];
  readonly next_cursor?: string;
}

/** Where all devices were at a minute: as many pages as there are, one after the other. */
export async function loadPast(
  address: string, atMs: number, leaving: AbortSignal,
): Promise<GatewayReply<readonly DeviceRow[]>> {
  const rows: DeviceRow[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({
      at: new Date(atMs).toISOString(), ...cursor === undefined ? {} : { cursor },
    });
    const asked = await ask<PastPage>(`${address}&${query.toString()}`, { signal: leaving });
    if (!asked.ok) return asked;
    for (const { device_id: id, ...position } of asked.body.positions) {
      rows.push({ id, ...position, speed: undefined, bearing: undefined, state: undefined });
    }
    cursor = asked.body.next_cursor;
  } while (cursor !== undefined);
  return { ok: true, body: rows };
}
