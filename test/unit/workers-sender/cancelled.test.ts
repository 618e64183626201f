import { afterEach, describe, expect, it } from 'vitest';
import { cancelCommand } from '../../../services/domain/monitoring/result.ts';
import { aCommand, aTelemetryRequest } from '../../support/command-facts.ts';
import { tinyProvider } from '../../support/tiny-provider.ts';
import { createSenderEnv } from './sender-env.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => { for (const close of closers.splice(0).toReversed()) await close(); });

const WAIT = { timeout: 20_000 };

describe('a command that an operator cancelled', () => {
  it('is not tried any more, and the one behind it goes out', async () => {
    const provider = await tinyProvider(({ body }) => (
      body.command === 'start_tracking' ? 500 : 200
    ));
    closers.push(provider.close);
    const env = await createSenderEnv(provider.url);
    closers.push(() => env.close());
    await env.start();
    const bad = aCommand('start_tracking', 42);
    const behind = aTelemetryRequest('cmVxdWVzdC0x', 42);
    env.issue(bad, behind);
    await expect.poll(() => env.resultsOf(bad).length, WAIT).toBeGreaterThan(0);
    const end = cancelCommand(bad, env.resultsOf(bad).at(-1), Date.now());
    await env.states.commands.applyResults(end === undefined ? [] : [end]);
    await expect.poll(() => env.resultsOf(behind).map(({ outcome }) => outcome), WAIT)
      .toEqual(['done']);
    expect(new Set(env.resultsOf(bad).map(({ outcome }) => outcome))).toEqual(new Set(['retry']));
    expect(provider.calls.at(-1)?.body.command).toBe('process_telemetry_events');
  });
});
