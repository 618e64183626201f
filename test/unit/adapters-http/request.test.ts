import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createByteBudget } from '../../../services/adapters/http/request/budget.ts';
import {
  bearerToken, repeatedHeader, requestIdOf,
} from '../../../services/adapters/http/request/headers.ts';
import { isForm, mediaTypeFault } from '../../../services/adapters/http/request/media-type.ts';
import { readForm } from '../../../services/adapters/http/request/read-form.ts';
import { readQuery } from '../../../services/adapters/http/request/read-query.ts';
import { countriesOf } from '../../../services/adapters/config/countries.ts';

describe('a query', () => {
  const countries = countriesOf(['BR', 'XK', 'UK=GB']);

  it.each(['BR', 'br', 'BRA', 'bra', 'Bra', 'XK', 'xk', 'uk'])(
    '[RTT-19] names a country by any id of it: %s', (country) => {
      const reading = readQuery(`/a?country_id=${country}`, countries);
      expect(reading).toMatchObject({ ok: true, query: { country_id: country } });
    },
  );

  it.each(['AR', 'GB', 'GBR', 'XX', 'BRAZ', 'B', 'B%C3%9F', '%C3%9F', 'BR%20', '76'])(
    '[RTT-03] names no country by %s', (country) => {
      expect(readQuery(`/a?country_id=${country}`, countries)).toMatchObject({
        refusal: { code: 'invalid_parameter', errors: [{ pointer: '/query/country_id' }] },
      });
    },
  );

  it('gives each parameter once, decoded', () => {
    const reading = readQuery('/a?country_id=BR&external_entity_id=a%20b+c&empty=', countries);
    expect(reading).toMatchObject({
      ok: true, query: { country_id: 'BR', external_entity_id: 'a b c', empty: '' },
    });
  });

  it.each(['country_id=BR&country_id=BR', 'country_id=BR&x=1&x=2'])(
    'that repeats a parameter is refused: %s', (query) => {
      const reading = readQuery(`/a?${query}`, countries);
      expect(reading).toMatchObject({ ok: false, refusal: { code: 'invalid_parameter' } });
      expect(JSON.stringify(reading)).toContain('stands twice');
    },
  );

  it('[RTT-01] [RTT-03] needs a country only where one is asked for', () => {
    expect(readQuery('/a', undefined)).toMatchObject({ ok: true });
    expect(readQuery('/a?country_id=XX', undefined)).toMatchObject({ ok: true });
    expect(readQuery('/a', countries)).toMatchObject({ refusal: { code: 'missing_parameter' } });
    expect(readQuery('/a?country_id=XX', countries))
      .toMatchObject({ refusal: { code: 'invalid_parameter' } });
  });

  it('takes nothing from the prototype of objects', () => {
    const reading = readQuery('/a?__proto__=x', undefined);
    expect(reading.ok && reading.query['toString']).toBeUndefined();
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('a body that may be JSON or a form', () => {
  const saying = (type: string): IncomingMessage =>
    ({ headers: { 'content-type': type } } as unknown as IncomingMessage);

  it.each([
    ['application/json', false], ['Application/JSON; charset=utf-8', false],
    ['application/x-www-form-urlencoded', true],
    ['Application/X-WWW-Form-Urlencoded;charset=UTF-8', true],
  ])('[TOK-25] %s is taken, as a form: %s', (type, form) => {
    expect(mediaTypeFault(saying(type), 'json-or-form')).toBeUndefined();
    expect(isForm(saying(type), 'json-or-form')).toBe(form);
  });

  it('[TOK-05] is refused as anything else, with both types in the message', () => {
    for (const type of ['text/plain', 'multipart/form-data']) {
      expect(mediaTypeFault(saying(type), 'json-or-form')).toMatchObject({
        code: 'unsupported_media_type',
        detail: 'Content-Type must be application/json or application/x-www-form-urlencoded.',
      });
    }
    expect(mediaTypeFault(saying('application/json'), 'form')).toBeDefined();
    expect(mediaTypeFault(saying('application/x-www-form-urlencoded'), 'json')).toBeDefined();
    expect(isForm(saying('application/json'), 'form')).toBe(true);
    expect(isForm(saying('application/x-www-form-urlencoded'), 'json')).toBe(false);
  });
});

describe('a form', () => {
  it('gives each field once, decoded', () => {
    expect(readForm(Buffer.from('token=a%2Bb+c&hint=&&alone')))
      .toEqual({ ok: true, value: { token: 'a+b c', hint: '', alone: '' } });
    expect(readForm(Buffer.from(''))).toEqual({ ok: true, value: {} });
  });

  it.each([
    ['token=a&token=b', 'duplicate_key'],
    ['token=a&%74oken=b', 'duplicate_key'],
    ['token=%ff', 'invalid_encoding'],
    ['token=%zz', 'invalid_encoding'],
  ])('%s is refused as %s', (text, code) => {
    expect(readForm(Buffer.from(text))).toMatchObject({ ok: false, refusal: { code } });
  });

  it('of bytes that are no UTF-8 is refused', () => {
    expect(readForm(Buffer.from([0x61, 0x3d, 0xff]))).toMatchObject({ ok: false });
  });
});

describe('headers', () => {
  it.each([
    ['Bearer abc', 'abc'], ['bearer   a-._~+/b==', 'a-._~+/b=='], ['BEARER x', 'x'],
    ['Bearer', undefined], ['Bearer a b', undefined], ['Bearer ä', undefined],
    ['Basic abc', undefined], ['', undefined], [undefined, undefined],
    [`Bearer ${'a'.repeat(512)}`, 'a'.repeat(512)], [`Bearer ${'a'.repeat(513)}`, undefined],
  ])('%j hold the token %j', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  it('that decide something must not repeat; others may', () => {
    const repeated = (...rawHeaders: string[]): string | undefined => {
      const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
      const headers = Object.fromEntries(names.map((name) => [name, 'a']));
      return repeatedHeader({ rawHeaders, headers })?.code;
    };
    expect(repeated('Host', 'a', 'Accept', 'x')).toBeUndefined();
    expect(repeated('Host', 'a', 'Accept', 'x', 'accept', 'y')).toBeUndefined();
    expect(repeated('Host', 'a', 'hOST', 'a')).toBe('duplicate_header');
    expect(repeated('Host', 'a', '__proto__', 'b')).toBeUndefined();
  });

  it('name the request where the name is harmless', () => {
    const named = (id: string | undefined): string =>
      requestIdOf({ headers: { 'x-request-id': id } } as unknown as IncomingMessage, () => 'own');
    expect(named('a.B-1_')).toBe('a.B-1_');
    expect(named('a'.repeat(64))).toBe('a'.repeat(64));
    for (const id of [undefined, '', '-a', 'a b', 'a\r\nb', 'ä', 'a'.repeat(65)]) {
      expect(named(id)).toBe('own');
    }
  });
});

describe('a byte budget', () => {
  it('gives up to its limit, and again what was given back', () => {
    const budget = createByteBudget(40);
    const of = (owner: string) => {
      const reservation = budget.reservation();
      reservation.belongTo(owner);
      return reservation;
    };
    const all = ['a', 'b', 'c', 'd'].map(of);
    expect(all.map((each) => each.take(10))).toEqual([true, true, true, true]);
    expect(budget.taken()).toBe(40);
    const late = of('e');
    expect(late.take(1)).toBe(false);
    all[0]?.release();
    all[0]?.release();
    expect(budget.taken()).toBe(30);
    expect(late.take(10)).toBe(true);
  });

  it('[GEN-61] gives one owner a quarter at most, whatever it holds in how many calls', () => {
    const budget = createByteBudget(40);
    const [one, two, other] = [budget.reservation(), budget.reservation(), budget.reservation()];
    one.belongTo('a');
    two.belongTo('a');
    other.belongTo('b');
    expect([one.take(6), two.take(4), two.take(1), other.take(10)])
      .toEqual([true, true, false, true]);
    one.release();
    expect(two.take(6)).toBe(true);
  });
});
