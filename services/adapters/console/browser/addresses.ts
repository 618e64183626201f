import type { BrowserSession } from '../../../kernel/sessions.ts';

/** The addresses of a client that the platform calls. */
export interface ExaminationAddresses {
  readonly list: string;
  /** Asks for the examination of one. */
  readonly examine: (partyId: string) => string;
}

/** What a client asks about itself. */
export interface OwnAddresses {
  /** Its calls by operation, and what was refused. */
  readonly calls: string;
  /** Its newest accepted calls; undefined for who only authorizes, which no receipt has. */
  readonly ingests: string | undefined;
  readonly limits: string | undefined;
  /** How good what its providers sent is; undefined for who sends notifications. */
  readonly scores: string | undefined;
  /** Its own addresses; undefined for who only authorizes, whom the platform does not call. */
  readonly examinations: ExaminationAddresses | undefined;
  /** The outcome of an accepted call. */
  readonly ingest: (id: string) => string | undefined;
}

/** The operations that a session is shown things by; undefined where its audiences have none. */
export interface Addresses {
  /** Live positions and the fleet of a minute, with what their query begins with. */
  readonly positions: string | undefined;
  readonly past: string | undefined;
  device(id: string): string | undefined;
  deviceFix(id: string): string | undefined;
  /** The track of a device, with what its query begins with. */
  track(id: string): string | undefined;
  /** The outcomes of an accepted call about a device. */
  ingest(id: string): string | undefined;
  /** Commands about a transport. */
  commands(transportId: string): string | undefined;
  /** Dead letters and their replay, for who has the right `admin`. */
  readonly deadLetters: string | undefined;
  /** What overflows, for the same. */
  readonly overflow: string | undefined;
  /** What operators asked for, for the same. */
  readonly audits: string | undefined;
  /** What a provider or carrier asks about itself. */
  readonly own: OwnAddresses | undefined;
  /** The pipeline, for the same. */
  readonly pipeline: string | undefined;
  /** True where positions can be asked for one provider. */
  readonly hasProviders: boolean;
}

/** The platform sees all clients; every other client its own. */
export function addressesOf({ audiences, scopes, country_id }: BrowserSession): Addresses {
  if (audiences.includes('platform')) {
    return {
      positions: '/platform/live/positions?format=binary&states=true',
      past: '/platform/live/fleet?limit=10000',
      device: (id) => `/platform/devices/${encodeURIComponent(id)}`,
      deviceFix: () => undefined,
      track: (id) => `/platform/devices/${encodeURIComponent(id)}/track?limit=5000`,
      ingest: (id) => `/platform/ingest/${encodeURIComponent(id)}`,
      commands: (id) => `/platform/commands?transport_id=${encodeURIComponent(id)}`,
      hasProviders: true,
      deadLetters: scopes.includes('admin') ? '/operator/dead_letters' : undefined,
      overflow: scopes.includes('admin') ? '/operator/overflow' : undefined,
      audits: scopes.includes('admin') ? '/operator/audits' : undefined,
      own: undefined,
      pipeline: scopes.includes('admin') ? '/operator/pipeline' : undefined,
    };
  }
  if (!audiences.includes('rtt')) {
    return {
      positions: undefined, past: undefined, device: () => undefined, deviceFix: () => undefined,
      track: () => undefined, ingest: () => undefined, commands: () => undefined,
      hasProviders: false,
      deadLetters: undefined, overflow: undefined, audits: undefined, pipeline: undefined,
      own: ownOfCarrier(audiences),
    };
  }
  const country = `country_id=${country_id}`;
  const own = ownAddresses('/shipping/rtt', `?${country}`, `/shipping/rtt/scores?${country}`);
  const device = (id: string): string => `/shipping/rtt/devices/${encodeURIComponent(id)}`;
  return {
    positions: `/shipping/rtt/live/positions?${country}&format=binary&states=true`,
    past: `/shipping/rtt/live/fleet?${country}&limit=10000`,
    device: (id) => `${device(id)}?${country}`,
    deviceFix: (id) => `${device(id)}/last_position?${country}`,
    track: (id) => `${device(id)}/track?${country}&limit=5000`,
    ingest: own.ingest,
    commands: () => undefined, hasProviders: false, deadLetters: undefined,
    overflow: undefined, audits: undefined, pipeline: undefined, own,
  };
}

/** Who only authorizes shipments has its checklist and what was refused. */
function ownOfCarrier(audiences: readonly string[]): OwnAddresses | undefined {
  if (audiences.includes('logistic-feed')) return ownAddresses('/shipping/tracking', '', undefined);
  if (!audiences.includes('authorizations')) return undefined;
  return {
    calls: '/shipments/calls', ingests: undefined, limits: undefined, scores: undefined,
    examinations: undefined, ingest: () => undefined,
  };
}

function ownAddresses(
  base: string, query: string, scores: string | undefined,
): OwnAddresses {
  return {
    scores,
    calls: `${base}/calls${query}`, ingests: `${base}/ingest${query}`,
    limits: `${base}/limits${query}`,
    examinations: {
      list: `${base}/examinations${query}`,
      examine: (id) => `${base}/examinations/${encodeURIComponent(id)}${query}`,
    },
    ingest: (id) => `${base}/ingest/${encodeURIComponent(id)}${query}`,
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
