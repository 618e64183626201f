declare module '@11ty/eleventy' {
  /** The settings of a build that the site uses. */
  interface Config {
    setUseGitIgnore(uses: boolean): void;
    setTemplateFormats(formats: readonly string[]): void;
    addTemplate(path: string, text: string, data: Readonly<Record<string, unknown>>): void;
    amendLibrary(name: 'md', amend: (library: never) => void): void;
    addTransform(
      name: string,
      transform: (this: { readonly page: { readonly inputPath: string } }, text: string) => string,
    ): void;
  }

  /** One page as it was made. */
  interface Made {
    readonly url: string;
    readonly content: string;
  }

  export default class Eleventy {
    constructor(input: string, output: string, options: {
      readonly quietMode: boolean; readonly configPath: false; config(config: Config): void;
    });

    toJSON(): Promise<readonly Made[]>;
  }
}
