import { describe, expect, it } from 'vitest';
import { PRODUCT_ACTS, productActs } from '../../cluster/acts/product.ts';
import { withPassword } from '../../cluster/acts/rotation.ts';
import { lackingOf } from '../../cluster/node/import-images.ts';
import { findingOf } from '../../containers/acts/clean-account.ts';
import { hashOf } from '../../cluster/product/secrets.ts';
import { countedSince, countsFrom } from '../../cluster/product/sender.ts';
import type { Standing } from '../../cluster/standing.ts';
import { lastFixes } from '../../cluster/standing-product.ts';
import { productFrom } from '../../cluster/words.ts';

const BEFORE = { mounts: [], addresses: [], links: [], folders: [] };

describe('the acts of the product', () => {
  it('have an offence each', () => {
    expect(PRODUCT_ACTS.filter(({ offences }) => offences.length === 0)).toEqual([]);
  });

  it('are those that are chosen, after the node and the product and before the end', () => {
    expect(productActs(BEFORE, ['rotation']).map(({ name }) => name))
      .toEqual(['node', 'product', 'rotation', 'down']);
    expect(productActs(BEFORE, [])).toHaveLength(PRODUCT_ACTS.length + 1);
  });
});

describe('what is brought up', () => {
  it('is a control plane, or also the product', () => {
    expect(productFrom('product')).toBe('product');
    expect(() => productFrom('prod')).toThrow('No prod to bring up: product, or nothing.');
  });

  it('is asked for vehicles only where the product runs', async () => {
    const bare = { namespaces: undefined, plane: undefined, folder: '' } as unknown as Standing;
    await expect(lastFixes(bare)).rejects.toThrow('npm run cluster -- up product');
  });
});

describe('images of a node', () => {
  it('are brought when they are new or have another content', () => {
    expect(lackingOf({ one: '1', two: '2', three: '3' }, { one: '1', two: 'old' }))
      .toEqual(['two', 'three']);
  });
});

describe('answers that the front counted', () => {
  it('failed when they broke off or were the fault of the server', () => {
    const counts = countsFrom('{"2xx":7,"4xx":2,"503":1,"broken off":3}');
    expect(counts).toEqual({ calls: 13, failures: { '503': 1, 'broken off': 3 } });
    const before = countsFrom('{"2xx":5,"broken off":2}');
    expect(countedSince(before, counts)).toEqual({
      calls: 6, failed: 2, complaints: ['2 calls failed (503: 1, broken off: 1)'],
    });
    expect(countedSince(counts, counts)).toEqual({ calls: 0, failed: 0, complaints: [] });
  });
});

describe('an account', () => {
  const clean = {
    line: 'sent=5 lost=0', accepted: 5, isClean: true, outcomes: 'accepted=5 unexplained=0',
    isExplained: true,
  };

  it('shows what is unexplained beside what is lost', () => {
    expect(findingOf(clean)).toEqual({ seen: 'sent=5 lost=0 unexplained=0', complaints: [] });
  });

  it('complains of nothing accepted, of a loss and of an item without an outcome', () => {
    expect(findingOf({
      ...clean, accepted: 0, isClean: false, isExplained: false, outcomes: 'unexplained=2',
    }).complaints).toEqual([
      'nothing was accepted', 'the account is not clean: sent=5 lost=0',
      'not all has an outcome: unexplained=2',
    ]);
  });
});

describe('Secrets with another password of the gateways', () => {
  it('have it in the address and in the file of users', () => {
    const after = withPassword({
      'rastro-gateways': { REDIS_URL: 'redis://gateways:old@redis:6379', OTHER: 'x' },
      'rastro-redis-users': { 'users.acl': `user gateways on #${hashOf('old')} ~{s*` },
    }, 'old', 'new');
    expect(after['rastro-gateways']).toEqual({ REDIS_URL: 'redis://gateways:new@redis:6379', OTHER: 'x' });
    expect(after['rastro-redis-users']).toEqual({ 'users.acl': `user gateways on #${hashOf('new')} ~{s*` });
  });
});
