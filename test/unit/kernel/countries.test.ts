import { describe, expect, it } from 'vitest';
import { countriesOf } from '../../../services/adapters/config/countries.ts';
import { countryCodeOf } from '../../../services/kernel/countries.ts';

describe('the countries of a deployment', () => {
  it('[RTT-19] are all of ISO 3166-1 when none is named, by alpha-2 and alpha-3', () => {
    const all = countriesOf([]);
    expect(all.size).toBe(2 * 249);
    expect(new Set(all.values()).size).toBe(249);
    for (const sent of ['BR', 'br', 'BRA', 'bRa']) expect(countryCodeOf(all, sent)).toBe('BR');
    expect(countryCodeOf(all, 'URY')).toBe('UY');
    for (const sent of ['', 'B', 'XX', 'ABC', 'BRAZ', '076', 'ß', 'B R', 'BR-SP']) {
      expect(countryCodeOf(all, sent)).toBeUndefined();
    }
  });

  it('[RTT-20] are narrowed by ISO ids, in any form of them', () => {
    const two = countriesOf(['br', 'ARG']);
    expect([...two.keys()].toSorted()).toEqual(['AR', 'ARG', 'BR', 'BRA']);
  });

  it('[RTT-20] are more by ids of the deployment, which narrow nothing', () => {
    const more = countriesOf(['XK', 'uk=gb', 'abc']);
    expect(more.size).toBe(2 * 249 + 3);
    expect(countryCodeOf(more, 'xk')).toBe('XK');
    expect(countryCodeOf(more, 'UK')).toBe('GB');
    expect(countryCodeOf(more, 'ABC')).toBe('ABC');
    expect([...countriesOf(['BR', 'XK']).keys()]).toEqual(['BR', 'BRA', 'XK']);
  });

  it.each(['B', 'BRAZ', 'B1', 'XX=', '=BR', 'XX=BRA', 'XX=YY=ZZ'])(
    '[RTT-20] stop the start for %s', (text) => {
      expect(() => countriesOf([text])).toThrow(text);
    },
  );
});
