import type { TlsTexts } from '../../kernel/tls.ts';
import { readTls } from './read-tls.ts';

/** How to reach the schema registry, and who asks it. */
export interface RegistryAccess {
  readonly url: string;
  readonly tls?: TlsTexts;
  readonly login?: { readonly username: string; readonly password: string };
}

/** Reads that from variables; throws where half of a login is set, instead of going without one. */
export function readRegistry(env: Readonly<Record<string, unknown>>): RegistryAccess {
  const text = (name: string): string => {
    const value = env[name];
    return typeof value === 'string' ? value : '';
  };
  const url = text('SCHEMA_REGISTRY_URL');
  const [username, password] = ['SCHEMA_REGISTRY_USERNAME', 'SCHEMA_REGISTRY_PASSWORD'].map(text);
  if ((username === '') !== (password === '')) {
    throw new Error('SCHEMA_REGISTRY_USERNAME and SCHEMA_REGISTRY_PASSWORD belong together.');
  }
  const tls = readTls('SCHEMA_REGISTRY', url, env);
  return {
    url,
    ...(tls === undefined ? {} : { tls }),
    ...(username && password ? { login: { username, password } } : {}),
  };
}
