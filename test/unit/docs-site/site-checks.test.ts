import { describe, expect, it } from 'vitest';
import { siteOffences } from '../../support/site-checks.ts';

const page = (text: string, contentType = 'text/html; charset=utf-8') => (
  { address: '/docs/a', contentType, text: `<h1 id="top">A</h1>${text}` });

describe('what is wrong with a page of the site', () => {
  it('is nothing with one that keeps to the rules', () => {
    expect(siteOffences([page(
      '<script type="module" src="/docs/x.js"></script><a href="#top">a</a>'
      + '<a href="/docs/a#top">b</a><a href="https://example.org/">c</a>'
      + '<code>&lt;script&gt; style="x"</code>',
    )])).toEqual([]);
  });

  it.each([
    ['<script>go()</script>', /a script inside/],
    ['<style>p{}</style>', /a style inside/],
    ['<p style="color:red">', /an attribute style/],
    ['<p onclick="go()">', /has onclick/],
    ['<a href="javascript:go()">x</a>', /links by javascript:/],
    ['<img src="https://example.org/x.png">', /loads https:.* by <img>/],
    ['<link rel="stylesheet" href="//example.org/x.css">', /loads \/\/example.org/],
    ['<script src="https://example.org/x.js"></script>', /loads https:.* by <script>/],
    ['<iframe src="/docs/a"></iframe>', /has <iframe>/],
    ['<a href="/docs/none">x</a>', /links to \/docs\/none/],
    ['<a href="/docs/a#none">x</a>', /links to \/docs\/a#none/],
    ['<a href="relative">x</a>', /links to relative/],
  ])('is found in %s', (html, said) => {
    expect(siteOffences([page(html)]).join('\n')).toMatch(said);
  });

  it.each([
    ['text/css; charset=utf-8', '@import "x";', /@import/],
    ['text/css; charset=utf-8', 'p { background: url(x) }', /url\(/],
    ['text/javascript; charset=utf-8', "import x from 'https://example.org/x.js';", /imports https/],
    ['text/javascript; charset=utf-8', "eval('x')", /eval/],
    ['text/javascript; charset=utf-8', 'a.innerHTML = b', /innerHTML/],
  ])('is found in a file of the type %s: %s', (type, text, said) => {
    expect(siteOffences([page(text, type)]).join('\n')).toMatch(said);
  });
});
