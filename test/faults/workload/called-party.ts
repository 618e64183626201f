import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dice } from '../dice.ts';
import type { ProviderRequest } from '../run-files.ts';
import { nowNs, type LineWriter } from './history-writer.ts';

/** How the called party behaves from now on. */
export type PartyMood =
  /** Mostly 200; some tries 500, some lines broken, some commands refused for good. */
  | 'usual'
  /** Every call is answered 500. */
  | 'failing'
  /** Every call hangs until its caller leaves. */
  | 'silent';

/** A provider that the platform calls, with a record of every request. */
export interface CalledParty {
  readonly url: string;
  setMood(mood: PartyMood): void;
  /** How many commands with plates that begin so it has taken or refused, each counted once. */
  taken(plates: string): number;
  close(): Promise<void>;
}

/** What the party does with commands that it takes. */
export interface PartyPorts {
  readonly record: LineWriter<ProviderRequest>;
  readonly dice: Dice;
  /** Called once for each request of summarized events that was answered 200. */
  readonly asked: (requestId: string, transportId: number) => void;
}

interface CommandBody {
  readonly command?: string;
  readonly id?: string;
  readonly transport?: { readonly id?: number; readonly license_plate?: string };
}

/** Serves `POST /rtt/commands` on a free port. */
export async function startCalledParty(name: string, ports: PartyPorts): Promise<CalledParty> {
  const { record, dice, asked } = ports;
  const plans = new Map<string, number[]>();
  const answered = new Set<string>();
  const taken = new Set<string>();
  let mood: PartyMood = 'usual';

  /** What a command is answered is drawn once, so that a repeat meets the same plan. */
  function nextStatus(command: CommandBody): number | 'break' {
    if (mood === 'failing') return 500;
    const mark = command.transport?.license_plate ?? '';
    let plan = plans.get(mark);
    if (plan === undefined) {
      plan = Array.from({ length: dice.chance(0.15) ? dice.between(1, 2) : 0 }, () =>
        dice.pick([500, 0]));
      plan.push(dice.chance(0.2) ? 400 : 200);
      plans.set(mark, plan);
    }
    const status = (plan.length > 1 ? plan.shift() : plan[0]) ?? 200;
    return status === 0 ? 'break' : status;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(request);
    const line = (status: number | null): void => record.write({
      t_ns: nowNs(), party: name, method: request.method ?? '', path: request.url ?? '', body,
      status,
    });
    if (mood === 'silent') {
      response.on('close', () => line(null));
      return;
    }
    const status = nextStatus(body);
    if (status === 'break') {
      line(null);
      response.destroy();
      return;
    }
    line(status);
    if (status !== 500) taken.add(body.transport?.license_plate ?? '');
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status, message: status === 200 ? 'success' : 'no' }));
    const { command, id = '', transport } = body;
    if (status !== 200 || command !== 'process_telemetry_events' || answered.has(id)) return;
    answered.add(id);
    asked(id, transport?.id ?? 0);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setMood: (next) => { mood = next; },
    taken: (plates) => [...taken].filter((plate) => plate.startsWith(plates)).length,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

async function readJson(request: IncomingMessage): Promise<CommandBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as CommandBody;
}
