import {
  mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildSite } from '../../../scripts/docs/build-site.ts';
import { siteIn } from '../../../scripts/docs/freshness.ts';

const BUILD_MS_MAX = 60_000;
const GOOD = {
  'README.md': '# Front\n[guide](docs/guide.md#second--part), [all](docs/README.md), [code](lib/a.ts)\n',
  'docs/README.md': '# Contents\n[guide](guide.md), [folder](how/), [front](../README.md#front)\n',
  'docs/guide.md': '# Guide\n\n## Second & part\nText with `<tag>` and {{ braces }}.<br>End.\n',
  'docs/how/one.md': '# One\n[up](../guide.md)\n<!-- a remark -->\n',
  'lib/a.ts': 'const shown = "<b>";\n',
  'seen.png': 'a picture',
};

let root: string;
let out: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rastro-docs-'));
  out = join(root, 'out');
  write(GOOD);
});
afterEach(() => { rmSync(root, { recursive: true, force: true }); });

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const build = (isForced = false) => buildSite({ root, out, isForced });

function shown(address: string): string {
  const file = siteIn(out)?.files[address];
  if (file === undefined) throw new Error(`nothing is at ${address}`);
  return readFileSync(join(out, file.file), 'utf8');
}

describe('a site', () => {
  it('has each page at its address, with links to addresses', async () => {
    const before = { ...process.env };
    await build();
    expect(process.env).toEqual(before);
    expect(shown('/docs/')).toContain('<a href="/docs/guide#second--part">guide</a>');
    expect(shown('/docs/')).toContain('<a href="/docs/repository/lib/a.ts">code</a>');
    expect(shown('/docs/contents')).toContain('<a href="/docs/how/">folder</a>');
    expect(shown('/docs/guide')).toContain('<h2 id="second--part">Second &amp; part</h2>');
    expect(shown('/docs/guide')).toContain('<code>&lt;tag&gt;</code> and {{ braces }}.<br>End.');
    expect(shown('/docs/how/')).toContain('<a href="/docs/how/one">One</a>');
    expect(shown('/docs/how/one')).not.toContain('a remark');
    expect(shown('/docs/repository/lib/a.ts')).toContain('const shown = &quot;&lt;b&gt;&quot;;');
  }, BUILD_MS_MAX);

  it.each([
    ['a page that is not there', '[x](none.md)', /docs\/bad\.md links to none\.md/],
    ['a heading that is not there', '[x](guide.md#third)', /docs\/guide\.md#third, which has no/],
    ['a heading of its own that is not there', '[x](#none)', /docs\/bad\.md#none/],
    ['a file outside', '[x](../../secret.md)', /links to \.\.\/\.\.\/secret\.md/],
    ['an address without encryption', '[x](http://example.org/)', /links to http:/],
    ['a path of another site', '[x](/etc/passwd)', /links to \/etc\/passwd/],
    ['HTML', 'a <b onclick="x()">b</b>', /has HTML that the site does not show/],
    ['a picture that is not there', '![x](x.png)', /shows x\.png, which is no PNG/],
    ['a picture from elsewhere', '![x](https://example.org/x.png)', /which is no PNG/],
    ['a picture without words', '![](../seen.png)', /has a picture without words/],
  ])('is not made of a page with %s', async (_, text, said) => {
    write({ 'docs/bad.md': `# Bad\n${text}\n` });
    await expect(build()).rejects.toThrow(said);
    expect(siteIn(out)).toBeUndefined();
  }, BUILD_MS_MAX);

  it('shows pictures at addresses that change with them', async () => {
    write({ 'docs/seen.md': '# Seen\n![a map](../seen.png)\n' });
    const addressIn = () => /<img src="([^"]+)" alt="a map">/.exec(shown('/docs/seen'))?.[1] ?? '';
    await build();
    const address = addressIn();
    expect(address).toMatch(/^\/docs\/assets\/seen\.[0-9a-f]{12}\.png$/);
    expect(siteIn(out)?.files[address]).toMatchObject({ contentType: 'image/png', isImmutable: true });
    expect(shown(address)).toBe(GOOD['seen.png']);
    write({ 'seen.png': 'another' });
    await build();
    expect(addressIn()).not.toBe(address);
  }, BUILD_MS_MAX);

  it('makes no link of what would run', async () => {
    write({ 'docs/bad.md': '# Bad\n[x](javascript:go)\n' });
    await build();
    expect(shown('/docs/bad')).toContain('<p>[x](javascript:go)</p>');
  }, BUILD_MS_MAX);

  it('shows no file to which a symbolic link leads out of the repository', async () => {
    writeFileSync(join(tmpdir(), 'rastro-outside.txt'), 'outside');
    symlinkSync(join(tmpdir(), 'rastro-outside.txt'), join(root, 'lib', 'link.txt'));
    write({ 'docs/bad.md': '# Bad\n[x](../lib/link.txt)\n' });
    await expect(build()).rejects.toThrow(/links to \.\.\/lib\/link\.txt/);
  }, BUILD_MS_MAX);

  it('is made again when a page changes, and else only when that is asked', async () => {
    expect((await build()).isNew).toBe(true);
    expect((await build()).isNew).toBe(false);
    expect((await build(true)).isNew).toBe(true);
    write({ 'lib/a.ts': 'changed\n' });
    expect((await build()).isNew).toBe(true);
    expect(shown('/docs/repository/lib/a.ts')).toContain('changed');
    write({ 'docs/more.md': '# More\n' });
    expect((await build()).isNew).toBe(true);
    expect(shown('/docs/more')).toContain('More');
    // This one and the one before it, which may still be read.
    expect(readdirSync(out).filter((name) => name !== 'site.json')).toHaveLength(2);
  }, BUILD_MS_MAX);

  it('leaves the one before in its place when the next cannot be made', async () => {
    await build();
    const before = readFileSync(join(out, 'site.json'), 'utf8');
    write({ 'docs/bad.md': '# Bad\n[x](none.md)\n' });
    await expect(build()).rejects.toThrow(/none\.md/);
    expect(readFileSync(join(out, 'site.json'), 'utf8')).toBe(before);
  }, BUILD_MS_MAX);

  it('draws diagrams, and shows as text what it cannot draw whole', async () => {
    write({
      'docs/drawn.md': '# Drawn\n```mermaid\nflowchart LR\n  a["one<br>two"] -->|three| b\n```\n',
      'docs/lost.md': '# Lost\n```mermaid\nflowchart LR\n  a --> b\n  a["a label"] --> c\n```\n',
      'docs/pie.md': '# Pie\n```mermaid\npie\n  "a" : 1\n```\n',
    });
    const { undrawn } = await build();
    expect(shown('/docs/drawn')).toMatch(/<svg [^]*one[^]*two[^]*three/);
    expect(shown('/docs/drawn')).not.toMatch(/\sstyle=|<style|@import/);
    expect(undrawn.join('\n')).toMatch(/docs\/lost\.md: .*a label/);
    expect(undrawn.join('\n')).toMatch(/docs\/pie\.md: /);
    for (const page of ['/docs/lost', '/docs/pie']) {
      expect(shown(page)).not.toContain('<svg');
      expect(shown(page)).toContain('<pre><code class="language-mermaid">');
    }
  }, BUILD_MS_MAX);
});
