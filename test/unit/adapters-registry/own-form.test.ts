import { describe, expect, it } from 'vitest';
import { knowsMembersOf, ownForm } from '../../../services/adapters/registry/own-form.ts';
import { parseExact } from '../../../services/kernel/exact-json.ts';

const closed = (properties: object) => ({
  type: 'object', additionalProperties: false, properties,
});
const text = { type: 'string' };

describe('a record in our own form', () => {
  it('has no members that our schema does not know, at any depth', () => {
    const schema = closed({
      at: text, of: closed({ id: text }), list: { items: closed({ id: text }) },
    });
    expect(ownForm(schema, {
      at: '1', more: 1, of: { id: 'a', more: 2 }, list: [{ id: 'b', more: 3 }],
    })).toEqual({ at: '1', of: { id: 'a' }, list: [{ id: 'b' }] });
  });

  it('is the very same value where nothing must be left out', () => {
    const schema = closed({ of: closed({ id: text }), list: { items: closed({ id: text }) } });
    const value = { of: { id: 'a' }, list: [{ id: 'b' }] };
    expect(ownForm(schema, value)).toBe(value);
  });

  it('keeps what an open object has beside the members that we know', () => {
    const value = { id: 'a', more: { of: 'whatever' } };
    expect(ownForm({ type: 'object', properties: { id: text } }, value)).toBe(value);
  });

  it('is that of the branch that a value names, not of its neighbours', () => {
    const branch = (type: string, more: object) => closed({ type: { const: type }, ...more });
    const schema = { oneOf: [branch('Begun', { by: text }), branch('Ended', { why: text })] };
    expect(ownForm(schema, { type: 'Begun', by: 'me', why: 'new here' }))
      .toEqual({ type: 'Begun', by: 'me' });
  });

  it('writes numbers as they were sent', () => {
    const value = parseExact('{"id":9223372036854775807,"at":1.50,"more":1}');
    expect(JSON.stringify(ownForm(closed({ id: {}, at: {} }), value)))
      .toBe('{"id":9223372036854775807,"at":1.50}');
  });
});

describe('a schema whose members ours all knows', () => {
  const branch = (type: string, more: object) => closed({ type: { const: type }, ...more });
  const own = {
    oneOf: [
      branch('Begun', { of: closed({ id: text, at: text }), list: { items: closed({ id: text }) } }),
      branch('Ended', { why: text }),
    ],
  };

  it.each([
    ['our own', own, true],
    ['one with a branch less', { oneOf: own.oneOf.slice(1) }, true],
    ['one with a member less', { oneOf: [branch('Begun', { of: closed({ id: text }) })] }, true],
    ['one with a member more', { oneOf: [branch('Ended', { why: text, who: text })] }, false],
    ['one with a member of another branch', { oneOf: [branch('Begun', { why: text })] }, false],
    ['one with a branch more', { oneOf: [...own.oneOf, branch('Paused', {})] }, false],
    ['one with a member more within a member',
      { oneOf: [branch('Begun', { of: closed({ id: text, more: text }) })] }, false],
    ['one with a member more within a list',
      { oneOf: [branch('Begun', { list: { items: closed({ id: text, more: text }) } })] }, false],
  ])('is %s: %#', (_name, other, expected) => {
    expect(knowsMembersOf(own, other)).toBe(expected);
  });
});
