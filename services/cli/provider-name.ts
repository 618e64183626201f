import { wrongValue } from '../adapters/command-line/command-line.ts';

const PROVIDER = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The value of an option that names a provider. */
export function providerName(text: string): string {
  return PROVIDER.test(text) ? text : wrongValue(`'${text}' is no name of a provider: 1 to 64 of a-z,`
    + ' 0-9, _ and -, and first neither _ nor -, such as acme.');
}
