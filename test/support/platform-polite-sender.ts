import { Agent, request } from 'node:http';
import { locationsBody, locationsPath, type Actor } from './platform-actor.ts';

/** What one client saw that keeps its connection and leaves when the server asks for it. */
export interface PoliteClient {
  /** Posts answered by the first gateway, and by the second after the client had to leave. */
  answered(): readonly [number, number];
  /** Posts on a standing connection that got no answer, by the name of the error. */
  readonly unanswered: readonly string[];
  stop(): Promise<void>;
}

/**
 * Sends one post after the other on one kept connection to the first gateway. When an answer says
 * `Connection: close`, or the connection is refused, it goes to the second and stays there.
 */
export function startPoliteClient(
  urls: readonly [string, string], actor: Actor, deviceId: string,
): PoliteClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answered: [number, number] = [0, 0];
  const unanswered: string[] = [];
  let which: 0 | 1 = 0;
  let stopping = false;

  const postOnce = (): Promise<void> => new Promise((resolve) => {
    const at = which;
    const sent = request(`${urls[at]}${locationsPath()}`, {
      method: 'POST', agent,
      headers: { authorization: `Bearer ${actor.token}`, 'content-type': 'application/json' },
    });
    sent.on('error', (error: Error & { code?: string }) => {
      if (error.code !== 'ECONNREFUSED') unanswered.push(error.code ?? error.name);
      which = 1;
      resolve();
    });
    sent.on('response', (response) => {
      if (response.statusCode === 202) answered[at] += 1;
      else unanswered.push(String(response.statusCode));
      if (response.headers.connection === 'close') which = 1;
      response.resume().on('end', resolve);
    });
    sent.end(JSON.stringify(locationsBody(deviceId)));
  });
  const driving = (async () => { while (!stopping) await postOnce(); })();

  return {
    answered: () => answered,
    unanswered,
    async stop() {
      stopping = true;
      await driving;
      agent.destroy();
    },
  };
}
