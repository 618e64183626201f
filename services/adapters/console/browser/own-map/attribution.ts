/** A piece of text, and where it leads. */
export interface AttributionPart {
  readonly text: string;
  readonly href?: string;
}

const TEXT_CHARACTERS_MAX = 500;
/** A comment, scripts and styles with their content, or one tag; one not closed is the rest. */
const TAG = /<!--[^]*?(?:-->|$)|<(script|style)\b[^]*?(?:<\/\1\s*>|$)|<\/?[a-z][^>]*>?/gi;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", copy: '©', nbsp: ' ',
};
const LAST_CHARACTER = 0x10_ff_ff;

/**
 * What a map file says of who made it: its texts, and its links to HTTPS. Such files have HTML
 * there, which no browser is given: tags are left out here.
 */
export function attributionParts(written: string): readonly AttributionPart[] {
  const parts: AttributionPart[] = [];
  let href: string | undefined;
  let rest = TEXT_CHARACTERS_MAX;
  let from = 0;
  const add = (until: number): void => {
    const text = decoded(written.slice(from, until)).slice(0, rest);
    rest -= text.length;
    if (text !== '') parts.push(href === undefined ? { text } : { text, href });
  };
  for (const { 0: tag, index } of written.matchAll(TAG)) {
    add(index);
    from = index + tag.length;
    if (/^<a\s/i.test(tag)) href = linkOf(tag);
    else if (/^<\/a\b/i.test(tag)) href = undefined;
  }
  add(written.length);
  return parts;
}

function linkOf(tag: string): string | undefined {
  const [, double, single, bare] = HREF.exec(tag) ?? [];
  const href = decoded(double ?? single ?? bare ?? '').trim();
  return /^https:\/\//i.test(href) && URL.canParse(href) ? href : undefined;
}

function decoded(text: string): string {
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name = '') => {
    if (decimal === undefined && hex === undefined) {
      return ENTITIES[String(name).toLowerCase()] ?? whole;
    }
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    return code <= LAST_CHARACTER ? String.fromCodePoint(code) : whole;
  });
}
