import { beforeEach, describe, expect, it } from 'vitest';
import { createBadTokens, type BadTokens } from '../../../services/adapters/http/bad-tokens.ts';

const BURST = 3;
const OFFICE = '203.0.113.9';

describe('the count of bad tokens', () => {
  let nowMs: number;
  let bad: BadTokens;

  beforeEach(() => {
    nowMs = 1_764_000_000_000;
    bad = createBadTokens(
      { badTokensPerMinute: 60, badTokensBurst: BURST }, { nowMs: () => nowMs },
    );
  });

  /** Tries tokens that were never let in, as a gateway does; gives how many were inspected at. */
  function tryBad(tokens: readonly string[], address = OFFICE): number {
    const seen = tokens.filter((token) => bad.waitSeconds(address, token) === 0);
    for (const token of seen) bad.count(address, token);
    return seen.length;
  }

  function fill(address = OFFICE): void {
    for (let nth = 0; nth < BURST; nth += 1) expect(tryBad([`bad-${nth}`], address)).toBe(1);
  }

  it('[GEN-43] lets an address wait after its burst, and no other', () => {
    fill();
    expect(bad.waitSeconds(OFFICE, 'next')).toBe(1);
    expect(bad.waitSeconds('203.0.113.10', 'next')).toBe(0);
    nowMs += 999;
    expect(bad.waitSeconds(OFFICE, 'another')).toBe(1);
    nowMs += 1;
    expect(bad.waitSeconds(OFFICE, 'another')).toBe(0);
  });

  it('[GEN-43] counts all addresses of one host together: an IPv6 host has a /64 of them', () => {
    for (let nth = 0; nth < BURST; nth += 1) {
      expect(tryBad([`bad-${nth}`], `2001:db8:0:7::${nth + 1}`)).toBe(1);
    }
    expect(tryBad(['next'], '2001:db8:0:7:ffff::1')).toBe(0);
    expect(tryBad(['next'], '2001:db8:0:8::1')).toBe(1);
    bad.makeUp(() => '2001:db8:0:7:abcd::1');
    expect(tryBad(['another'], '2001:db8:0:7::9')).toBe(1);
  });

  it('[GEN-43] looks at a token that comes again, whatever came from its address meanwhile', () => {
    fill();
    expect(bad.waitSeconds(OFFICE, 'good')).toBe(1);
    nowMs += 1_000;
    expect(tryBad(Array.from({ length: 50 }, (_, nth) => `new-${nth}`))).toBe(50);
    expect(bad.waitSeconds(OFFICE, 'late')).toBe(1);
    expect(bad.waitSeconds(OFFICE, 'good')).toBe(0);
  });

  it('[GEN-43] has no shorter wait for who does not wait', () => {
    fill();
    expect(bad.waitSeconds(OFFICE, 'good')).toBe(1);
    nowMs += 400;
    expect(tryBad(['bad-0'])).toBe(0);
    expect(bad.waitSeconds(OFFICE, 'good')).toBe(1);
  });

  it('[GEN-43] bounds bad tokens that come again, too', () => {
    const tokens = Array.from({ length: 400 }, (_, nth) => `again-${nth}`);
    let inspected = 0;
    for (let second = 0; second < 60; second += 1) {
      for (const token of tokens) inspected += tryBad([token]);
      nowMs += 1_000;
    }
    // Two counts of 3 at once and 1 a second, whatever is tried.
    expect(inspected).toBeLessThanOrEqual(2 * (BURST + 60));
    expect(inspected).toBeGreaterThan(60);
  });

  it('[GEN-43] is made up for by calls that were let in, one for one, and never ahead', () => {
    for (let nth = 0; nth < 100; nth += 1) {
      bad.makeUp(() => OFFICE);
      expect(tryBad([`revoked-${nth}`])).toBe(1);
    }
    for (let nth = 0; nth < 100; nth += 1) bad.makeUp(() => OFFICE);
    fill();
    expect(bad.waitSeconds(OFFICE, 'next')).toBe(1);
    bad.makeUp(() => '203.0.113.10');
    expect(bad.waitSeconds(OFFICE, 'next')).toBe(1);
    bad.makeUp(() => OFFICE);
    expect(bad.waitSeconds(OFFICE, 'next')).toBe(0);
  });

  it('does not ask for the address while no bad token counts', () => {
    const asked: string[] = [];
    const addressOf = (): string => {
      asked.push(OFFICE);
      return OFFICE;
    };
    bad.makeUp(addressOf);
    tryBad(['bad']);
    bad.makeUp(addressOf);
    nowMs += 1_000;
    bad.makeUp(addressOf);
    expect(asked).toHaveLength(1);
  });

  it('has no longer wait after many calls at once', () => {
    for (let nth = 0; nth < 500; nth += 1) bad.count(OFFICE, `at-once-${nth}`);
    expect(bad.waitSeconds(OFFICE, 'good')).toBe(1);
    nowMs += 1_000;
    expect(bad.waitSeconds(OFFICE, 'good')).toBe(0);
  });
});
