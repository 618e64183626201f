import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createRouteCache } from '../../../services/adapters/http/route-cache.ts';
import type { Mounted } from '../../../services/adapters/http/request-context.ts';
import { createOverdue } from '../../../services/adapters/http/overdue.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { createBearerReader } from '../../../services/adapters/http/request/bearer.ts';

const TOKEN = (character: string): string => `01${character.repeat(43)}`;

describe('what is kept between calls', () => {
  it('of a line is its last header, so another token is another caller', () => {
    const bearerOf = createBearerReader();
    const socket = {};
    const seen = (authorization: string | undefined, line: object = socket): string | undefined => (
      bearerOf(
        { socket: line, headers: { authorization } } as unknown as IncomingMessage, {} as Operation,
      )?.tokenHash
    );
    const [first, second] = [seen(`Bearer ${TOKEN('a')}`), seen(`Bearer ${TOKEN('b')}`)];
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
    expect(seen(`Bearer ${TOKEN('b')}`)).toBe(second);
    expect(seen(`Bearer ${TOKEN('a')}`, {})).toBe(first);
    expect(seen('Bearer short')).toBeUndefined();
    expect(seen(undefined)).toBeUndefined();
    expect(seen(`Bearer ff${'a'.repeat(43)}`)).toBeUndefined();
  });

  it('of addresses is bounded, in number and in length', () => {
    const addresses = createRouteCache();
    const address = {
      mounted: {} as Mounted, params: {}, query: { ok: true, query: {} },
    } as const;
    const long = `/${'a'.repeat(600)}`;
    addresses.keep(long, address);
    expect(addresses.find(long)).toBeUndefined();
    for (let nth = 0; nth < 2_049; nth += 1) addresses.keep(`/${nth}`, address);
    expect(addresses.find('/2048')).toBe(address);
    expect(addresses.find('/0')).toBeUndefined();
  });

  it('of an address that is asked for outlives any number of others', () => {
    const addresses = createRouteCache();
    const address = {
      mounted: {} as Mounted, params: {}, query: { ok: true, query: {} },
    } as const;
    addresses.keep('/hot', address);
    for (let nth = 0; nth < 10_000; nth += 1) {
      addresses.keep(`/${nth}`, address);
      if (nth % 1_000 === 0) expect(addresses.find('/hot')).toBe(address);
    }
  });
});

describe('the net under overdue calls', () => {
  it('lets through what ends, and gives up what does not, each with its own error', async () => {
    const withOverdue = createOverdue();
    const never = new Promise<number>(() => undefined);
    const late = (name: string) => () => new Error(name);
    expect(await withOverdue(10, late('none'), Promise.resolve(7))).toBe(7);
    await expect(withOverdue(10, late('none'), Promise.reject(new Error('own')))).rejects
      .toThrow('own');
    const ends: string[] = [];
    await Promise.all([120, 10].map((afterMs) => (
      withOverdue(afterMs, late(`${afterMs}`), never).catch((error: unknown) => {
        ends.push((error as Error).message);
      })
    )));
    expect(ends).toEqual(['10', '120']);
  });
});
