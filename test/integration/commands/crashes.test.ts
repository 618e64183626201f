import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { counts, isFinal } from '../../../services/domain/monitoring/result.ts';
import type {
  ProviderCommandIssued, ProviderCommandResult,
} from '../../../services/kernel/commands.ts';
import { aTelemetryRequest, newTransportId } from '../../support/command-facts.ts';
import type { SeenCommand, TinyAnswer } from '../../support/tiny-provider.ts';
import { openCommandsEnv, outcomesOf, type CommandsEnv } from './commands-env.ts';

let env: CommandsEnv;
beforeEach(async () => { env = await openCommandsEnv(); });
afterEach(() => env.close());

const requestsOf = (transport: number, ...ids: readonly string[]): ProviderCommandIssued[] =>
  ids.map((id) => aTelemetryRequest(Buffer.from(id).toString('base64'), transport));
const idsOf = (calls: readonly SeenCommand[]) =>
  calls.map(({ body }) => Buffer.from(String(body.id), 'base64').toString());

/** The result that decides what is shown, as the projection of commands would have it. */
function decisive(
  results: readonly ProviderCommandResult[], { command_id }: ProviderCommandIssued,
): ProviderCommandResult | undefined {
  return results.filter((each) => each.command_id === command_id)
    .reduce<ProviderCommandResult | undefined>(
      (kept, each) => (counts(each, kept) ? each : kept), undefined,
    );
}

describe('command senders that die, stall and take over', () => {
  it('[CMD-29] one killed between the call and its record is replaced without a gap', async () => {
    const transport = newTransportId();
    let kill: () => void = () => undefined;
    const provider = await env.provider('acme', (_call, count): TinyAnswer => {
      if (count !== 2) return 200;
      kill();
      return 'hang';
    });
    const first = env.spawn();
    kill = () => first.kill('SIGKILL');
    const requests = requestsOf(transport, 'a', 'b', 'c');
    await env.issue(...requests);
    await expect.poll(() => first.signalCode, { timeout: 20_000 }).toBe('SIGKILL');
    env.spawn();
    const results = await env.ended(3);
    // Only what had no result goes out again, and nothing overtakes it.
    expect(idsOf(provider.calls)).toEqual(['a', 'b', 'b', 'c']);
    for (const request of requests) expect(outcomesOf(results, request)).toEqual(['done']);
    const fences = requests.map((request) => decisive(results, request)?.fence ?? 0);
    expect(fences[1]).toBeGreaterThan(fences[0]!);
    expect(fences[2]).toBe(fences[1]);
  }, 60_000);

  it('[CMD-32] one that stalls past its right sends nothing more, nor does its late result count',
    async () => {
      const transport = newTransportId();
      const late = Promise.withResolvers<TinyAnswer>();
      let stall: () => void = () => undefined;
      const provider = await env.provider('acme', (_call, count) => {
        if (count > 1) return 200;
        stall();
        return late.promise;
      });
      // Its request outlives the stall; the lease of each sender is shorter than that.
      const first = env.spawn({ requestMsMax: 1_500 });
      stall = () => first.kill('SIGSTOP');
      const requests = requestsOf(transport, 'a', 'b', 'c');
      await env.issue(...requests);
      await expect.poll(() => provider.calls.length, { timeout: 20_000 }).toBe(1);
      env.spawn();
      const before = await env.ended(3, 40_000);
      late.resolve(200);
      first.kill('SIGCONT');
      await env.issue(...requestsOf(transport, 'd'));
      const after = await env.ended(4);
      expect(idsOf(provider.calls)).toEqual(['a', 'a', 'b', 'c', 'd']);
      const [request] = requests;
      expect(decisive(after, request!)).toEqual(decisive(before, request!));
      for (const each of requests) expect(decisive(after, each)?.outcome).toBe('done');
    }, 90_000);

  it('[CMD-32] [CMD-23] two, and more that come and go, keep the order of all', async () => {
    const transports = Array.from({ length: 8 }, newTransportId);
    const done: string[] = [];
    const underWay = new Map<number, number>();
    let most = 0;
    await env.provider('acme', async ({ body }) => {
      const transport = body.transport?.id ?? 0;
      underWay.set(transport, (underWay.get(transport) ?? 0) + 1);
      most = Math.max(most, underWay.get(transport) ?? 0);
      await new Promise(setImmediate);
      underWay.set(transport, (underWay.get(transport) ?? 1) - 1);
      if (Math.random() < 0.2) return 500;
      done.push(`${transport} ${String(body.id)}`);
      return 200;
    });
    const rounds = Array.from({ length: 5 }, (_, round) => transports.flatMap((transport) =>
      requestsOf(transport, `${round}a`, `${round}b`)));
    const [first, second] = await Promise.all([env.start(), env.start()]);
    await env.issue(...rounds[0]!);
    await env.issue(...rounds[1]!);
    const third = await env.start();
    await env.issue(...rounds[2]!);
    await first.stop();
    await env.issue(...rounds[3]!);
    await Promise.all([second.stop(), env.start()]);
    await env.issue(...rounds[4]!);
    await third.stop();
    const issued = rounds.flat();
    const results = await env.ended(issued.length, 60_000);
    expect(most).toBe(1);
    expect(done).toHaveLength(issued.length);
    for (const transport of transports) {
      const ofIt = (each: string) => each.startsWith(`${transport} `);
      const wanted = issued.map(({ command_key, body }) =>
        `${command_key} ${'id' in body ? body.id : ''}`);
      expect(done.filter(ofIt)).toEqual(wanted.filter(ofIt));
    }
    const ends = results.filter(({ outcome }) => isFinal(outcome));
    expect(ends).toHaveLength(issued.length);
  }, 120_000);
});
