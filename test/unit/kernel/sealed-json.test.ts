import { describe, expect, it } from 'vitest';
import { sealedJson } from '../../../services/kernel/sealed-json.ts';

const fact = (characters: number) => ({
  type: 'NotificationRecorded', notification: { code: 'Ü "quoted" \u{1f69a}' },
  personal: { key: 'k', sealed: 'aZ09_-'.repeat(characters).slice(0, characters), mac: 'm' },
});

describe('a fact with sealed members', () => {
  it.each([0, 38, 65_535, 65_536, 65_537, 300_001])('is the same with %i characters', (characters) => {
    expect(JSON.parse(sealedJson(fact(characters)).toString('utf8'))).toEqual(fact(characters));
  });

  it('is the same without any', () => {
    const { personal: _, ...clear } = fact(0);
    expect(JSON.parse(sealedJson(clear).toString('utf8'))).toEqual(clear);
  });
});
