import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Check } from '../../../services/conformance/check.ts';
import { conformanceCommand } from '../../../services/cli/conformance/command.ts';
import { AS_KIT, openLimitedGateway, type LimitedGateway } from '../../support/limited-gateway.ts';

const RUN_MS_MAX = 300_000;

interface KitValue {
  readonly passed: number;
  readonly failed: number;
  readonly advised: number;
  readonly waits: { readonly throttled: number; readonly waitedMs: number };
  readonly checks: readonly (Check & { readonly outcome: string; readonly reasons?: unknown })[];
}

/** The gateway and the kit share a clock, which a wait of the kit moves. */
describe('against a gateway with its default limits, the kit', { timeout: RUN_MS_MAX }, () => {
  let gateway: LimitedGateway;
  let aheadMs = 0;
  const clock = { nowMs: () => Date.now() + aheadMs };
  const pause = async (milliseconds: number) => { aheadMs += milliseconds; };
  const run = async (role: string, ...more: string[]) => {
    const { value } = await conformanceCommand({ env: AS_KIT, time: { clock, pause } }, [
      '--target', gateway.url, '--role', role, ...more,
    ]);
    return value as KitValue;
  };
  const failuresOf = ({ checks }: KitValue) =>
    checks.filter(({ outcome }) => outcome === 'failed').map(({ id, reasons }) => [id, reasons]);
  beforeAll(async () => { gateway = await openLimitedGateway(clock); });
  afterAll(() => gateway.close());

  it('passes twice in a row and is never above a limit', async () => {
    for (const time of ['first', 'second']) {
      const value = await run('receiver');
      expect([time, failuresOf(value)]).toEqual([time, []]);
      expect(value).toMatchObject({ advised: 0, waits: { throttled: 0 } });
      expect(value.passed).toBeGreaterThan(80);
      expect(value.waits.waitedMs).toBeGreaterThan(60_000);
    }
  });

  it('waits as long as a 429 says and passes where it keeps no pace', async () => {
    let throttled = 0;
    for (let times = 0; times < 4; times += 1) {
      const value = await run('receiver', '--only', 'revoke', '--tokens-per-minute', '0');
      expect(failuresOf(value)).toEqual([]);
      throttled += value.waits.throttled;
    }
    expect(throttled).toBeGreaterThan(5);
  });

  it('finds every must of a carrier kept', async () => {
    const value = await run('carrier', '--level', 'must');
    expect(failuresOf(value)).toEqual([]);
    expect(value.passed).toBeGreaterThan(15);
    expect(new Set(value.checks.map(({ level }) => level))).toEqual(new Set(['must']));
  });
});
