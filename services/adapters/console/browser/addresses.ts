import type { BrowserSession } from '../../../kernel/sessions.ts';

/** The operations that a session is shown things by; undefined where its audiences have none. */
export interface Addresses {
  /** Live positions and the fleet of a minute, with what their query begins with. */
  readonly positions: string | undefined;
  readonly past: string | undefined;
  device(id: string): string | undefined;
  deviceFix(id: string): string | undefined;
  /** The track of a device, with what its query begins with. */
  track(id: string): string | undefined;
  /** Commands about a transport. */
  commands(transportId: string): string | undefined;
  /** Dead letters and their replay, for who has the right `admin`. */
  readonly deadLetters: string | undefined;
  /** True where positions can be asked for one provider. */
  readonly hasProviders: boolean;
}

/** The platform sees all clients; every other client its own. */
export function addressesOf({ audiences, scopes, country_id }: BrowserSession): Addresses {
  if (audiences.includes('platform')) {
    return {
      positions: '/platform/live/positions?format=binary', past: '/platform/live/fleet?limit=10000',
      device: (id) => `/platform/devices/${encodeURIComponent(id)}`,
      deviceFix: () => undefined,
      track: (id) => `/platform/devices/${encodeURIComponent(id)}/track?limit=5000`,
      commands: (id) => `/platform/commands?transport_id=${encodeURIComponent(id)}`,
      hasProviders: true,
      deadLetters: scopes.includes('admin') ? '/operator/dead_letters' : undefined,
    };
  }
  if (!audiences.includes('rtt')) {
    return {
      positions: undefined, past: undefined, device: () => undefined, deviceFix: () => undefined,
      track: () => undefined, commands: () => undefined, hasProviders: false,
      deadLetters: undefined,
    };
  }
  const country = `country_id=${country_id}`;
  const device = (id: string): string => `/shipping/rtt/devices/${encodeURIComponent(id)}`;
  return {
    positions: `/shipping/rtt/live/positions?${country}&format=binary`,
    past: `/shipping/rtt/live/fleet?${country}&limit=10000`,
    device: (id) => `${device(id)}?${country}`,
    deviceFix: (id) => `${device(id)}/last_position?${country}`,
    track: (id) => `${device(id)}/track?${country}&limit=5000`,
    commands: () => undefined, hasProviders: false, deadLetters: undefined,
  };
}

/**
 * The call that a page made, for a shell; the token is a variable, never that of the session. A
 * quote in the address would end its word, and an id may come from a link that a stranger made.
 */
export function curlOf(address: string, origin: string): string {
  const href = new URL(address, origin).href.replaceAll("'", '%27');
  return `curl -H "Authorization: Bearer $TOKEN" '${href}'`;
}
