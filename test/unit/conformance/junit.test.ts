import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ALL_CHECKS } from '../../../services/conformance/all-checks.ts';
import { ours, skipped, verify, type CheckOutcome } from '../../../services/conformance/check.ts';
import { junitOf } from '../../../services/conformance/junit.ts';

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Element[];
}

const READ = `
import json, sys, xml.etree.ElementTree as E
def of(e):
    return {'tag': e.tag, 'attributes': e.attrib, 'text': e.text or '', 'children': [of(c) for c in e]}
print(json.dumps(of(E.fromstring(sys.stdin.buffer.read()))))
`;

/** The document as a parser reads it that is not ours: expat, which takes well-formed XML only. */
function parsed(xml: string): Element {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', READ], { input: xml, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Element;
}

const MEAN = 'a <b> & "c" \' ]]> \n\t\u0000\u001b[31m \ud800 \uffff é 😀';
const checkOf = (id: string) => ALL_CHECKS.find((check) => check.id === id)!;
const results = ([
  ['token-issued', verify()],
  ['token-request', verify(MEAN, 'another')],
  ['token-unlike', verify('the same')],
  ['device-registered', verify(ours('Do it so.', 'other'))],
  ['device-unknown', skipped('no such <thing>')],
] satisfies [string, CheckOutcome][]).map(([id, outcome]) => ({
  check: checkOf(id), outcome, tookMs: 1_250,
}));

describe('the JUnit report', () => {
  const root = parsed(junitOf('http://x/?a=1&b=2', 'receiver', results, 'interface'));

  it('has a suite for each part of the contract and counts that add up', () => {
    expect(root.tag).toBe('testsuites');
    expect(root.attributes).toEqual({
      name: 'receiver http://x/?a=1&b=2', tests: '5', failures: '1', errors: '0', skipped: '1',
      time: '6.250',
    });
    expect(root.children.map(({ tag, attributes }) => [tag, attributes['name'], attributes['tests'],
      attributes['failures'], attributes['skipped']])).toEqual([
      ['testsuite', 'receiver: Generate token (2)', '3', '1', '0'],
      ['testsuite', 'receiver: Devices (6, 7, 8)', '2', '0', '1'],
    ]);
  });

  it('has a case for each check, with level and rows, and its outcome as readers know it', () => {
    const cases = root.children.flatMap(({ children }) => children);
    expect(cases.map(({ tag, children }) => [tag, ...children.map((each) => each.tag)])).toEqual([
      ['testcase', 'system-out'], ['testcase', 'failure', 'system-out'], ['testcase', 'system-out'],
      ['testcase', 'system-out'], ['testcase', 'skipped', 'system-out'],
    ]);
    expect(cases[0]).toMatchObject({
      attributes: {
        name: 'token-issued: A token comes with its type and its 21600 seconds',
        classname: 'receiver.Generate token (2)', time: '1.250',
      },
      children: [{ text: 'must, TOK-01 TOK-02 GEN-13' }],
    });
    expect(cases[2]?.children[0]?.text).toMatch(/^should, TOK-13\nadvice: Give each .* \(the same\)$/);
    expect(cases[3]?.children[0]?.text).toMatch(/\nadvice: Do it so\. \(other\)$/);
    expect(cases[4]?.children[0]?.attributes['message']).toBe('no such <thing>');
  });

  it('keeps any text that a counterpart may answer, but what XML cannot hold', () => {
    const failure = root.children[0]?.children[1]?.children[0];
    const kept = 'a <b> & "c" \' ]]> \n\t\ufffd\ufffd[31m \ufffd \ufffd é 😀';
    expect(failure?.attributes).toEqual({ type: 'must', message: kept });
    expect(failure?.text).toBe(`${kept}\nanother`);
  });

  it('fails a should where our own profile decides', () => {
    const strict = parsed(junitOf('http://x', 'receiver', results, 'rastro'));
    expect(strict.attributes['failures']).toBe('3');
  });
});
