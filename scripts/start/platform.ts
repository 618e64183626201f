import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../infra/local/wait.ts';

/** Where the platform's command API answers, and who asks there. */
export interface PlatformAddress {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly provider: string;
}

const FIRST_TRANSPORT_ID = 1_000_001;
const TOKEN_MS_MAX = 30_000;
/** Token requests have a quota of their own. */
const TOKEN_EVERY_MS = 1_000;
/** Commands per second, below the quota of a client. */
const PACE = 150;

/**
 * Plays the platform: issues one start_tracking per transport at the command API; the dispatcher
 * brings them to the provider (interface, 5. Provider commands). Throws when one is refused.
 */
export async function startTracking(
  platform: PlatformAddress, transports: number, country: string,
): Promise<void> {
  const token = await takeToken(platform);
  const begunMs = Date.now();
  for (let index = 0; index < transports; index += 1) {
    const id = FIRST_TRANSPORT_ID + index;
    await issueCommand(platform, token, country, {
      command: 'start_tracking',
      transport: { id, license_plate: `RST-${id}`, country_id: country },
    });
    const aheadMs = (index * 1_000) / PACE - (Date.now() - begunMs);
    if (aheadMs > 0) await delay(aheadMs);
  }
}

/** The client was recorded in the log just now; it can be used once the access keeper has it. */
async function takeToken({ url, clientId, clientSecret }: PlatformAddress): Promise<string> {
  let token: string | undefined;
  await waitFor(async () => {
    const answer = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: '{"audience":"rtt","grant_type":"client_credentials"}',
    });
    if (answer.ok) token = (await answer.json() as { access_token: string }).access_token;
    else await answer.body?.cancel();
    return token !== undefined;
  }, { what: 'The token of the platform', deadlineMs: TOKEN_MS_MAX, everyMs: TOKEN_EVERY_MS });
  return token ?? '';
}

async function issueCommand(
  { url, provider }: PlatformAddress, token: string, country: string, body: object,
): Promise<void> {
  const path = `/platform/providers/${provider}/commands?country_id=${country}`;
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`The platform answered ${answer.status}: ${text}`);
}

/** What the provider says of itself. */
export interface ProviderStatus {
  readonly devices: number;
  readonly tracking: number;
  readonly sent: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
  readonly in_hand: number;
  readonly repeats: number;
  readonly drained: boolean;
}

/** Asks the provider how far it is; undefined while it does not answer. */
export async function providerStatus(url: string): Promise<ProviderStatus | undefined> {
  try {
    const answer = await fetch(`${url}/status`, { signal: AbortSignal.timeout(2_000) });
    return await answer.json() as ProviderStatus;
  } catch {
    return undefined;
  }
}

/** Reads the lines of a ledger file one by one; a half last line is left out. */
export function* ledgerLines<Line>(path: string): Generator<Line> {
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    if (text.endsWith('}')) yield JSON.parse(text) as Line;
  }
}
