import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { isAsShown } from '../../support/pages/compare-output.ts';
import { blocksOn, type Block } from '../../support/pages/read-blocks.ts';
import { openReaderShell, type ReaderShell } from '../../support/pages/reader-shell.ts';
import { tryBlock } from '../../support/pages/try-block.ts';

const PAGE = [
  '# Title', '', '```sh', 'A=1', 'echo $A', '```', '', '```text', '1', '```',
  '', '```sh repeat', 'ask', '```', '```json', '{}', '```',
  '', '<!-- not run: needs a cluster -->', '```sh', 'kubectl get pods', '```',
  '', '```console', '$ rastro lag', 'GROUP', '…', '$ rastro topics', '```', '',
].join('\n');

describe('the blocks of a page', () => {
  it('are read in order, with what each prints', () => {
    const common = { page: 'a.md', language: 'sh', repeats: false };
    expect(blocksOn('a.md', PAGE)).toEqual([
      { ...common, line: 4, text: 'A=1\necho $A', shown: '1' },
      { ...common, line: 13, text: 'ask', repeats: true },
      { ...common, line: 21, text: 'kubectl get pods', notRun: 'needs a cluster' },
      { ...common, language: 'console', line: 25, text: 'rastro lag', shown: 'GROUP\n…' },
      { ...common, language: 'console', line: 28, text: 'rastro topics' },
    ]);
  });

  it('have a reason only right above them', () => {
    const text = '<!-- not run: why -->\n\nA sentence.\n\n```sh\nls\n```\n';
    expect(blocksOn('a.md', text)[0]?.notRun).toBeUndefined();
  });

  it('have one for all that follow, where a page says so', () => {
    const block = '```sh\nls\n```\n';
    const text = `${block}\n<!-- not run from here on: why -->\n${block}\nWords.\n${block}`;
    expect(blocksOn('a.md', text).map(({ notRun }) => notRun)).toEqual([undefined, 'why', 'why']);
  });
});

describe('what a page shows', () => {
  it.each([
    ['one line', 'a  b', 'a b\n'],
    ['a part of a line', 'id … of 3', 'id 0198c0de of 3'],
    ['lines that are left out', 'head\n…\ntail', 'head\nx\ny\ntail\n'],
    ['no line where one is left out', 'head\n…', 'head'],
    ['the lines of HTTP', 'HTTP/1.1 202 Accepted\n…', 'HTTP/1.1 202 Accepted\r\nDate: x\r\n\r\n{}'],
  ])('is as printed: %s', (_what, shown, printed) => {
    expect(isAsShown(shown, printed)).toBe(true);
  });

  it.each([
    ['another word', 'stored 2', 'stored 3'],
    ['a line more', 'head', 'head\ntail'],
    ['a line less', 'head\ntail', 'head'],
    ['nothing', 'head', ''],
    ['signs of expressions', 'a.c', 'abc'],
  ])('is found out: %s', (_what, shown, printed) => {
    expect(isAsShown(shown, printed)).toBe(false);
  });
});

describe('the shell of a reader', () => {
  let shell: ReaderShell;
  afterEach(() => shell.close());
  const open = (blockMsMax = 20_000): ReaderShell => {
    shell = openReaderShell({ cwd: tmpdir(), env: process.env, blockMsMax });
    return shell;
  };
  const block = (text: string, more: Partial<Block> = {}): Block =>
    ({ page: 'a.md', line: 1, language: 'sh', text, repeats: false, ...more });

  it('keeps from block to block what was set', async () => {
    open();
    expect(await shell.run('A=1; f() { echo "$A $1"; }; cat')).toEqual({ output: '', code: 0 });
    expect(await shell.run('f 2; echo wrong >&2; false')).toEqual({ output: '1 2\nwrong\n', code: 1 });
  });

  it('repeats a block until it prints what is shown, where its page says so', async () => {
    open();
    expect(await tryBlock(shell, block('N=$((N + 1)); echo $N', { repeats: true, shown: '3' }))).toBe('');
    expect(await tryBlock(shell, block('N=$((N + 1)); echo $N', { shown: '5' })))
      .toContain('printed\n4\n\nand the page shows\n5');
  });

  it('says what is wrong: an exit code, an end of the shell, a block without end', async () => {
    open();
    expect(await tryBlock(shell, block('false'))).toContain('a.md:1\nfalse\nended with 1');
    expect(await tryBlock(shell, block('exit 3'))).toContain('ended with -1');
    await shell.close();
    expect(await tryBlock(open(200), block('while :; do sleep 0.05; done', { repeats: true })))
      .toContain('ended with -1');
  });
});
