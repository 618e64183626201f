import { describe, expect, it } from 'vitest';
import { readBasic } from '../../../services/gateways/oauth/credentials.ts';

const basic = (credentials: string | Buffer): string => (
  `Basic ${Buffer.from(credentials).toString('base64')}`
);

describe('the Basic header', () => {
  it('[TOK-07] is divided by its first colon, so that a secret may have some', () => {
    expect(readBasic(basic('100000000000001:a:b:'))).toEqual({ clientId: '100000000000001', secret: 'a:b:' });
    expect(readBasic(basic('100000000000001:'))).toEqual({ clientId: '100000000000001', secret: '' });
    expect(readBasic(basic(':secret'))).toBeUndefined();
  });

  it('[TOK-07] is UTF-8', () => {
    expect(readBasic(basic('1:señal'))?.secret).toBe('señal');
    expect(readBasic(basic(Buffer.from([0x31, 0x3a, 0xff, 0xfe])))).toBeUndefined();
  });

  it('[TOK-07] has a scheme in any case and strict Base64, with all of its padding', () => {
    const header = basic('1:s');
    for (const scheme of ['basic', 'BASIC', 'bAsIc']) {
      expect(readBasic(header.replace('Basic', scheme))?.secret).toBe('s');
    }
    expect(readBasic(basic('1:se'))?.secret).toBe('se');
    for (const wrong of [
      basic('1:se').replace(/=+$/, ''), `${header}=`, header.replace('Basic ', 'Basic'),
      `${header} x`, 'Basic MT-z', 'Basic MT_z', 'Basic MTpz\n', 'Basic',
    ]) expect(readBasic(wrong), wrong).toBeUndefined();
  });

  it('[TOK-07] has at most 1,024 characters', () => {
    const header = basic(`1:${'s'.repeat(760)}`);
    const longest = header.replace('Basic ', 'Basic '.padEnd(1_024 - header.length + 6));
    expect(longest).toHaveLength(1_024);
    expect(readBasic(longest)?.secret).toHaveLength(760);
    expect(readBasic(longest.replace('Basic ', 'Basic  '))).toBeUndefined();
  });
});
