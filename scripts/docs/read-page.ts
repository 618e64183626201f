import { drawDiagram } from './diagrams.ts';
import type { MarkdownToken, PageState } from './markdown-it.ts';
import { createSlugs } from './slugs.ts';

/** A part of a page under one heading. */
export interface Section {
  /** Empty for what is before the first heading. */
  readonly anchor: string;
  readonly title: string;
  readonly level: number;
  text: string;
}

/** What is known of a page once it was read. */
export interface ReadPage {
  readonly title: string;
  readonly sections: readonly Section[];
  /** Diagrams that are shown as text, with why. */
  readonly undrawn: readonly string[];
}

/** What a page is read with. */
export interface PageTools {
  /** Gives the address that a link is replaced by. */
  resolve(from: string, link: string): string;
  /** The same of a picture. */
  picture(from: string, link: string): string;
  /** Takes what cannot be shown as it is meant. */
  complain(sentence: string): void;
}

/** The tags that a page may have besides those that Markdown makes. */
const HTML = /^(<!--[^]*?-->\s*|<br>)*$/;

/**
 * Gives headings their anchors, links and pictures their addresses on the site, draws diagrams, and
 * complains about pictures without words and about HTML that is no comment and no line break.
 */
export function readPage({ tokens, env: { source } }: PageState, tools: PageTools): ReadPage {
  const slug = createSlugs();
  const sections: Section[] = [{ anchor: '', title: '', level: 0, text: '' }];
  const undrawn: string[] = [];
  let title: string | undefined;
  let diagrams = 0;
  for (const [at, token] of tokens.entries()) {
    const section = sections.at(-1);
    if (token.type === 'heading_open') {
      const heading = plainText(tokens[at + 1]);
      const level = Number(token.tag.slice(1));
      const anchor = slug(heading);
      token.attrSet('id', anchor);
      if (level === 1) title ??= heading;
      sections.push({ anchor, title: heading, level, text: '' });
    } else if (token.type === 'inline') {
      linkAll(token, source, tools);
      if (tokens[at - 1]?.type !== 'heading_open') append(section, plainText(token));
    } else if (token.type === 'fence' && token.info.trim() === 'mermaid') {
      diagrams += 1;
      const reason = draw(token, `diagram-${diagrams}`);
      if (reason !== undefined) undrawn.push(`${source}: ${reason}`);
    } else if (token.type === 'fence' || token.type === 'code_block') {
      append(section, token.content);
    } else if (token.type === 'html_block') {
      token.content = checkedHtml(token.content, source, tools);
    }
  }
  return { title: title ?? source, sections, undrawn };
}

/** What a person reads of a line. */
function plainText(token: MarkdownToken | undefined): string {
  return (token?.children ?? []).map(({ type, content }) => {
    if (type === 'text' || type === 'code_inline') return content;
    return type === 'softbreak' || type === 'hardbreak' || type === 'html_inline' ? ' ' : '';
  }).join('');
}

function append(section: Section | undefined, text: string): void {
  if (section !== undefined) section.text += ` ${text}`;
}

function linkAll({ children }: MarkdownToken, source: string, tools: PageTools): void {
  for (const token of children ?? []) {
    if (token.type === 'image') {
      if (token.content === '') tools.complain(`${source} has a picture without words for it`);
      token.attrSet('src', tools.picture(source, token.attrGet('src') ?? ''));
    }
    if (token.type === 'html_inline') token.content = checkedHtml(token.content, source, tools);
    if (token.type !== 'link_open') continue;
    const address = tools.resolve(source, token.attrGet('href') ?? '');
    token.attrSet('href', address);
    if (/^[a-z]+:/.test(address)) token.attrSet('rel', 'noreferrer');
  }
}

function checkedHtml(html: string, source: string, tools: PageTools): string {
  if (!HTML.test(html)) tools.complain(`${source} has HTML that the site does not show: ${html}`);
  return html.replaceAll(/<!--[^]*?-->\s*/g, '');
}

/** Puts the drawing in the place of the text; gives the reason when it stays a text. */
function draw(token: MarkdownToken, id: string): string | undefined {
  try {
    const drawing = drawDiagram(token.content, id);
    const text = token.content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    token.type = 'html_block';
    token.content = `<figure class="diagram">${drawing}<details><summary>The diagram as text`
      + `</summary><pre><code>${text}</code></pre></details></figure>\n`;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
