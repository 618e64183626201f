import type { ReceiverRoute } from './receiver.ts';

/** Endpoint 5, as a provider that takes every command. */
export const PROVIDER_ROUTES: readonly ReceiverRoute[] = [
  {
    pattern: /^POST \/rtt\/commands$/, form: 'problem', audience: 'command', denials: [403, 403],
    schema: 'ProviderCommandBody',
    handle: () => ({ status: 200, body: { status: 200, message: 'success' } }),
  },
];
