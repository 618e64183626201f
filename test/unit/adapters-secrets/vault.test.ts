import { describe, expect, it } from 'vitest';
import { createVault } from '../../../services/adapters/secrets/vault.ts';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

describe('the vault', () => {
  it('opens what it sealed, and never seals alike twice', () => {
    const vault = createVault(key(1));
    for (const text of ['', 'secret', 'sécret 秘密 '.repeat(100)]) {
      expect(vault.open(vault.seal(text))).toBe(text);
    }
    expect(vault.seal('a')).not.toBe(vault.seal('a'));
    expect(vault.seal('secret')).not.toContain('secret');
  });

  it('opens nothing of another key, nothing changed, and nothing cut', () => {
    const sealed = createVault(key(1)).seal('secret');
    expect(() => createVault(key(2)).open(sealed)).toThrow();
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (const at of [0, 13, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => createVault(key(1)).open(`v1.${changed.toString('base64url')}`)).toThrow();
    }
    for (const text of ['', 'v1.', 'v2.x', sealed.slice(0, 20), sealed.replace('v1', 'v0')]) {
      expect(() => createVault(key(1)).open(text)).toThrow();
    }
  });

  it('of several keys opens what any of them sealed, and seals by the first', () => {
    const [old, both, next] = [key(1), `${key(2)},${key(1)}`, key(2)].map(createVault);
    expect(both?.open(old?.seal('secret') ?? '')).toBe('secret');
    expect(next?.open(both?.seal('secret') ?? '')).toBe('secret');
    expect(() => old?.open(both?.seal('secret') ?? '')).toThrow();
    expect(() => both?.open(createVault(key(3)).seal('secret'))).toThrow();
    expect(() => createVault(`${key(1)},short`)).toThrow(/32 bytes/);
  });

  it.each(['', 'short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')])(
    'does not start with the key %j', (bad) => {
      expect(() => createVault(bad)).toThrow(/32 bytes/);
    });
});
