import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandTransport } from '../../../schemas/generated/types.ts';
import { createAnswerCommand } from '../../../services/provider/commands/answer-command.ts';
import { listen, type ListeningServer } from '../../../services/provider/http/server.ts';
import type { Fleet } from '../../../services/provider/replay/fleet.ts';

const TOKEN = 'the-command-token';
const transport = { id: 987654, license_plate: 'ABC1D23', country_id: 'BR' };

let server: ListeningServer;
let started: CommandTransport[];
let stopped: number[];
let isFull: boolean;

beforeEach(async () => {
  started = [];
  stopped = [];
  isFull = false;
  const fleet = {
    startTransport: (given: CommandTransport) => {
      started.push(given);
      return !isFull;
    },
    stopTransport: (id: number) => { stopped.push(id); },
  } as Fleet;
  server = await listen({ host: '127.0.0.1', port: 0, bodyBytesMax: 10_000 }, {
    answerCommand: createAnswerCommand(TOKEN, fleet), status: () => ({ drained: false }),
  });
});

afterEach(() => server.close());

async function command(body: unknown, token: string | undefined = TOKEN) {
  const response = await fetch(`${server.url}/rtt/commands`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: token === '' ? '' : `Bearer ${token}` }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const answer = await response.json() as Record<string, unknown>;
  return { status: response.status, headers: response.headers, answer };
}

describe('/rtt/commands of the reference provider', () => {
  it('takes a start and a stop with 200 and the sample body', async () => {
    for (const name of ['start_tracking', 'stop_tracking']) {
      const { status, answer } = await command({ command: name, transport });
      expect(status).toBe(200);
      expect(answer).toEqual({ status: 200, message: 'success' });
    }
    expect(started).toEqual([transport]);
    expect(stopped).toEqual([transport.id]);
  });

  it.each([
    ['no token', ''], ['a wrong token', 'another'], ['a longer token', `${TOKEN}x`],
  ])('[CMD-04] answers 403 invalid_token to %s', async (_name, token) => {
    const body = { command: 'start_tracking', transport };
    const { status, headers, answer } = await command(body, token);
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(answer).toMatchObject({ status: 403, code: 'invalid_token' });
    expect(started).toEqual([]);
  });

  it.each([
    ['no command', { transport }, '/command'],
    ['an unknown command', { command: 'dance', transport }, '/command'],
    ['no transport', { command: 'start_tracking' }, '/transport'],
    ['a list as body', [], ''],
  ])('answers 400 to %s and names the place', async (_name, body, pointer) => {
    const { status, answer } = await command(body);
    expect(status).toBe(400);
    expect(answer['errors']).toMatchObject([{ pointer }]);
    expect(started).toEqual([]);
  });

  it.each(['start_tracking', 'stop_tracking'].flatMap((name) => [
    [name, 'id', undefined], [name, 'id', '987654'], [name, 'id', 9007199254740993],
    [name, 'license_plate', undefined], [name, 'license_plate', 5],
    [name, 'country_id', undefined], [name, 'country_id', null],
  ] as const))('[CMD-07] answers 400 to %s with %s = %s', async (name, field, value) => {
    const { status, answer } = await command({
      command: name, transport: { ...transport, [field]: value },
    });
    expect(status).toBe(400);
    expect(answer['errors']).toMatchObject([{ pointer: `/transport/${field}` }]);
    expect([...started, ...stopped]).toEqual([]);
  });

  it.each([
    ['broken JSON', '{"command":'], ['text', 'start'], ['a large body', ' '.repeat(20_000)],
  ])(
    'answers 400, never 500, to %s', async (_name, body) => {
      expect((await command(body)).status).toBe(400);
    });

  it('answers 500 with Retry-After when no further device fits', async () => {
    isFull = true;
    const { status, headers } = await command({ command: 'start_tracking', transport });
    expect(status).toBe(500);
    expect(headers.get('retry-after')).toBe('5');
  });

  it('shows its status to whoever runs it', async () => {
    const response = await fetch(`${server.url}/status`);
    expect(await response.json()).toEqual({ drained: false });
  });
});
