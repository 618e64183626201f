import type { TlsTexts } from '../../kernel/tls.ts';

/** How to reach the registry; `url` is the base of its Confluent-compatible interface. */
export interface RegistryConfig {
  readonly url: string;
  readonly clientId: string;
  readonly requestMsMax: number;
  /** Who signs the registry, and who we are, where the address says TLS. */
  readonly tls?: TlsTexts | undefined;
  /** Who logs in; absent where the registry asks for no login. */
  readonly login?: { readonly username: string; readonly password: string } | undefined;
}
