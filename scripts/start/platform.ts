import { readFileSync } from 'node:fs';

/** Where the provider takes commands, and the token that it accepts. */
export interface ProviderAddress {
  readonly url: string;
  readonly commandToken: string;
}

const FIRST_TRANSPORT_ID = 1_000_001;

/**
 * Plays the platform: sends one start_tracking per transport, a few at a time (interface, 5.
 * Provider commands). Throws when the provider refuses one.
 */
export async function startTracking(
  provider: ProviderAddress, transports: number, country: string,
): Promise<void> {
  const waiting = Array.from({ length: transports }, (_, index) => FIRST_TRANSPORT_ID + index);
  const sendNext = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      await sendCommand(provider, {
        command: 'start_tracking',
        transport: { id, license_plate: `RST-${id}`, country_id: country },
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, sendNext));
}

async function sendCommand(provider: ProviderAddress, body: object): Promise<void> {
  const answer = await fetch(`${provider.url}/rtt/commands`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${provider.commandToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) {
    throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
  }
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
