import { describe, expect, it } from 'vitest';
import { attributionParts } from '../../../services/adapters/console/browser/own-map/attribution.ts';

const OSM = 'https://www.openstreetmap.org/copyright';

describe('who made a map', () => {
  it.each([
    ['Survey of 2026', [{ text: 'Survey of 2026' }]],
    ['', []],
    [`<a href="${OSM}" target="_blank">&copy; OpenStreetMap</a>, others`,
      [{ text: '© OpenStreetMap', href: OSM }, { text: ', others' }]],
    [`<A class=x HREF='${OSM}'>one</A><a href=${OSM}>two</a>`,
      [{ text: 'one', href: OSM }, { text: 'two', href: OSM }]],
    [`<a href="${OSM}"><b>bold</b> text</a>`,
      [{ text: 'bold', href: OSM }, { text: ' text', href: OSM }]],
    ['a &lt;b&gt; &amp;amp; &#169; &#xA9; &nothing; &#9999999;', [{ text: 'a <b> &amp; © © &nothing; &#9999999;' }]],
    ['1 < 2 and 3 > 2', [{ text: '1 < 2 and 3 > 2' }]],
  ])('%j is read as people read it', (written, parts) => {
    expect(attributionParts(written)).toEqual(parts);
  });

  it.each([
    '<a href="javascript:alert(1)">x</a>', '<a href="http://x.example">x</a>', '<a href="//x.example">x</a>',
    '<a href="data:text/html,1">x</a>', '<a href="https://">x</a>', '<a data-href="https://x.example">x</a>',
    '<a href=" &#106;avascript:alert(1)">x</a>', '<abbr href="https://x.example">x</abbr>', '<a>x</a>',
    'x<script>alert(1)</script>', 'x<script>alert(1)', 'x<style>a { b: c }</style >', 'x<!-- y > z -->',
    '<img src="https://x.example" onerror="alert(1)">x', 'x<img src=y',
  ])('%j is its text alone', (written) => {
    expect(attributionParts(written)).toEqual([{ text: 'x' }]);
  });

  it('is no longer than a person reads', () => {
    const [part, more] = attributionParts('x'.repeat(600));
    expect([part?.text.length, more]).toEqual([500, undefined]);
    const pieces = attributionParts('<b>x</b>'.repeat(600));
    expect(pieces.map(({ text }) => text).join('')).toHaveLength(500);
  });
});
