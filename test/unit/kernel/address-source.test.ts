import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../../services/kernel/address-source.ts';

describe('the source that limits of an address hold for', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::FFFF:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::10.1.2.3', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('[TOK-24] of %s is %s', (address, source) => {
    expect(sourceOf(address)).toBe(source);
  });

  it('[TOK-24] is one for all addresses that a host may choose, and another for its neighbours', () => {
    const hosts = ['::1', ':ffff:1:2:3', '::abcd:1'].map((end) => sourceOf(`2001:db8:0:7${end}`));
    expect(new Set(hosts).size).toBe(1);
    expect(sourceOf('2001:db8:0:8::1')).not.toBe(hosts[0]);
  });
});
