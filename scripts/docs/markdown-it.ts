/** The parts of markdown-it, which Eleventy brings, that the rules of the site use. */
export interface MarkdownToken {
  type: string;
  tag: string;
  content: string;
  info: string;
  children: MarkdownToken[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** A page while it is read; `env` is what Eleventy knows of it. */
export interface PageState {
  readonly tokens: MarkdownToken[];
  readonly env: { readonly source: string };
}

/** The reader itself. */
export interface MarkdownIt {
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: PageState) => void): void };
  };
  readonly renderer: { readonly rules: Record<string, (() => string) | undefined> };
}
