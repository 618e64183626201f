import { waitFor } from '../wait.ts';
import type { LocalStack } from './local-stack.ts';

const TOKEN_MS_MAX = 60_000;

/**
 * The first token of the demonstration client: it is new in the log, and can be used once the
 * projector has it.
 */
export async function firstToken(
  { url, identity }: Pick<LocalStack, 'url' | 'identity'>, audience = 'rtt',
): Promise<string> {
  const { clientId, clientSecret } = identity;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  let token: unknown;
  await waitFor(async () => {
    const answer = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'authorization': `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({ audience, grant_type: 'client_credentials' }),
    });
    token = ((await answer.json()) as { access_token?: unknown }).access_token;
    return answer.ok;
  }, { what: 'The token of the demonstration client', deadlineMs: TOKEN_MS_MAX, everyMs: 250 });
  return String(token);
}
