import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { callAt, type PlatformReply } from '../../support/platform-calls.ts';
import type { Dice } from '../dice.ts';
import type { CallArgs, HistoryLine, Item, Op } from '../history.ts';
import type { ChooseGateway } from './balancer.ts';
import { nowNs, type LineWriter } from './history-writer.ts';

/** One call as a client means it: all its tries are the same bytes. */
export interface Outgoing {
  readonly op: Op;
  readonly path: string;
  readonly body: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly args: CallArgs;
  readonly items?: readonly Item[];
  /** The gateway of the first try, by its place; chosen by the dice unless given. */
  readonly gateway?: number;
  /** The first try is given up after so long, in milliseconds: its answer is lost. */
  readonly leaveMs?: number;
  /** More for the line of the history, read off an answer. */
  readonly learn?: (body: Readonly<Record<string, unknown>>) => Partial<CallArgs>;
}

/** How a call ended; `given-up` when the run was over first. */
export interface Ending {
  readonly outcome: 'ok' | 'fail' | 'given-up';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Makes calls as the contract says, writing down every try. */
export interface Caller {
  readonly name: string;
  call(outgoing: Outgoing): Promise<Ending>;
}

/** What every caller of a run shares. */
export interface CallerPorts {
  readonly history: LineWriter<HistoryLine>;
  /** The gateway of a try that is meant for the nth. */
  readonly choose: ChooseGateway;
  /** Waits until a try may begin, where the load is limited. */
  readonly awaitSlot: () => Promise<void>;
  /** Aborted when no more tries are wanted. */
  readonly over: AbortSignal;
  readonly unique: (prefix: string) => string;
}

const GATEWAYS = 2;
const PAUSE_MS_MIN = 50;
const PAUSE_MS_MAX = 500;
/** Five minutes of the contract, three hundred times faster. */
const THROTTLED_MS = 1_000;

/**
 * A client that repeats a 500 or a lost answer forever, on the other gateway and with the same
 * bytes, waits on a 429, and never repeats what was refused.
 */
export function createCaller(name: string, ports: CallerPorts, dice: Dice): Caller {
  const { choose, awaitSlot, history, over, unique } = ports;

  async function tryOnce(
    outgoing: Outgoing, call: string, attempt: number, at: number,
  ): Promise<Ending | 'throttled' | 'unknown'> {
    await awaitSlot();
    const gateway = await choose(at);
    const t_invoke_ns = nowNs();
    const reply = await callAt(gateway.url, outgoing.path, {
      body: outgoing.body,
      ...(outgoing.token === undefined ? {} : { token: outgoing.token }),
      ...(outgoing.headers === undefined ? {} : { headers: outgoing.headers }),
      ...(outgoing.leaveMs === undefined || attempt > 1 ? {} : { msMax: outgoing.leaveMs }),
    }).catch((error: unknown) => nameOf(error));
    const outcome = outcomeOf(reply);
    history.write({
      op: outgoing.op, call, attempt, client: name, gateway: gateway.name,
      args: {
        ...(outgoing.token === undefined ? {} : { token_sha256: sha256(outgoing.token) }),
        ...outgoing.args,
        ...(outcome === 'ok' && typeof reply !== 'string' ? outgoing.learn?.(reply.body) : {}),
      },
      items: outgoing.items ?? [],
      t_invoke_ns, t_return_ns: nowNs(), outcome,
      status: typeof reply === 'string' ? null : reply.status,
      body: typeof reply === 'string' ? reply : withoutSecrets(reply),
      ingest_id: typeof reply === 'string' ? null : reply.headers.get('ingest-id'),
    });
    if (typeof reply === 'string') return 'unknown';
    if (reply.status === 429) return 'throttled';
    return outcome === 'info' ? 'unknown' : { outcome, status: reply.status, body: reply.body };
  }

  return {
    name,
    async call(outgoing) {
      const call = unique(outgoing.op);
      const first = outgoing.gateway ?? dice.between(0, GATEWAYS - 1);
      for (let attempt = 1; !over.aborted; attempt += 1) {
        const ending = await tryOnce(outgoing, call, attempt, first + attempt - 1);
        if (typeof ending === 'object') return ending;
        const longest = Math.min(PAUSE_MS_MIN * 2 ** attempt, PAUSE_MS_MAX);
        await delay(ending === 'throttled' ? THROTTLED_MS : longest * (0.5 + dice.next() / 2));
      }
      return { outcome: 'given-up', status: 0, body: {} };
    },
  };
}

/** SHA-256 in hex: tokens are named by it, so that none is in a file. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function outcomeOf(reply: PlatformReply | string): HistoryLine['outcome'] {
  if (typeof reply === 'string' || reply.status === 429 || reply.status >= 500) return 'info';
  return reply.status < 300 ? 'ok' : 'fail';
}

function withoutSecrets({ body, text }: PlatformReply): unknown {
  if (Object.keys(body).length === 0) return text;
  return 'access_token' in body ? { ...body, access_token: '(hidden)' } : body;
}

function nameOf(error: unknown): string {
  const { name, cause } = error as { name: string; cause?: { code?: string; name?: string } };
  return cause?.code ?? cause?.name ?? name;
}
