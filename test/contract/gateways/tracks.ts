import { CALLER, type WholeEdge } from '../../support/whole-edge.ts';

/** The day before now: the time of the examples will be over 400 days ago one day. */
export const LAST_DAY = { since: null, until: null };

/** Asks for the track of a device that sent a fix a minute ago and another before a gap. */
export function trackOf(at: WholeEdge, id: string, device: string): Promise<Response> {
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
  at.deviceTracks.send(...[3_600, 60].map((age) => ({
    device, client: CALLER, receivedAtMs: nowMs - age * 1_000 + 3_000,
    fixes: [{
      timestamp: nowMs / 1_000 - age, latitude: -23.55052, longitude: -46.633308, bearing: 182.5,
      telemetry: { speed: 54.2, ignition: true, odometer: 120_345.6, fuel_level: 70 },
    }],
  })));
  return at.call(id, { params: { device_id: device, ...LAST_DAY } });
}
