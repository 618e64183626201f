import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { createAnswerCommand } from '../../../services/provider/commands/answer-command.ts';
import { createPlannedRoutes } from '../../../services/provider/commands/planned-routes.ts';
import { listen, type ListeningServer } from '../../../services/provider/http/server.ts';
import { DOCUMENTED, exampleCall, faultsOfAnswer } from '../../support/documented-answers.ts';

const ID = 'provider-command';
const TOKEN = 'the-command-token';

describe('every answer of the reference provider in the OpenAPI document', () => {
  let server: ListeningServer;
  let isFull = false;
  beforeAll(async () => {
    const fleet = { startTransport: () => !isFull, stopTransport: () => undefined };
    server = await listen({ host: '127.0.0.1', port: 0, bodyBytesMax: 10_000 }, {
      answerCommand: createAnswerCommand({ commandToken: TOKEN, otherToken: undefined }, {
        fleet, routes: createPlannedRoutes(3), check: loadSchemas().checkOf('ProviderCommandBody'),
        deferred: { request: () => undefined, settled: async () => undefined },
      } as unknown as Parameters<typeof createAnswerCommand>[1]),
      status: () => ({}),
    });
  });
  afterAll(() => server.close());

  function send(token: string, body?: unknown): Promise<Response> {
    const call = exampleCall(ID, { body });
    return fetch(server.url + call.path, {
      method: call.method, body: JSON.stringify(call.body),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
  }

  const PRODUCE: Readonly<Record<number, () => Promise<Response>>> = {
    200: () => send(TOKEN),
    400: () => send(TOKEN, { command: 'dance' }),
    403: () => send('another-token'),
    500: () => {
      isFull = true;
      return send(TOKEN);
    },
  };

  it.each(DOCUMENTED.filter(({ id }) => id === ID).map(({ status }) => status))(
    'answers %i, and as the document says', async (status) => {
      const response = await PRODUCE[status]?.();
      expect(response?.status).toBe(status);
      expect(await faultsOfAnswer(ID, response as Response)).toEqual([]);
    },
  );
});
