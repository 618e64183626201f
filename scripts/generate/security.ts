import { fileTitled } from './components.ts';
import type { CatalogOperation } from './catalog-shape.ts';
import type { JsonObject } from '../../schemas/files.ts';
import type { Source } from './source.ts';

/** What each scope opens, for who writes a client. */
const SCOPES: Readonly<Record<string, string>> = {
  'rtt:devices': 'Register devices, start and stop their tracking.',
  'rtt:locations': 'Send locations of transports and of deliveries.',
  'rtt:events': 'Send telemetry events, also those that a command asked for.',
  'rtt:commands': 'Command a provider and read the result.',
  'tracking:push': 'Push notifications of shipments.',
  'tracking:read': 'Pull notifications of shipments.',
  authorizations: 'Authorize shipments and cancel authorizations.',
  'query:read': 'Read your own devices, positions and journeys.',
  'platform:read': 'Read devices, positions and shipments of every client.',
  'platform:write': 'Command providers, and ask carriers to authorize shipments.',
  admin: 'Follow what operators follow.',
  'pii:read': 'See personal data where answers have it.',
};

/** The ways to prove who calls. Throws for a scope that has no words. */
export function securitySchemes(source: Source): JsonObject {
  const names = fileTitled(source, 'Scope').schema['enum'] as readonly string[];
  const scopes = names.map((name) => {
    if (SCOPES[name] === undefined) throw new Error(`The scope ${name} has no description.`);
    return [name, SCOPES[name]] as const;
  });
  return {
    oauth2: {
      type: 'oauth2',
      description: 'An access token for the audience that the operation names, as a bearer token. Post to'
        + ' the token address with your client id and secret as HTTP Basic credentials, and name the'
        + ' audience beside the grant type. A token lives six hours and has all scopes of its client.',
      flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: Object.fromEntries(scopes) } },
    },
    provider_token: {
      type: 'http',
      scheme: 'bearer',
      description: 'The token that a provider gave to the platform for its own endpoint.',
    },
    basic: {
      type: 'http',
      scheme: 'basic',
      description: 'Client id and client secret, to get a token.',
    },
  };
}

/** What a call needs of them: one of the alternatives. */
export function securityOf(operation: CatalogOperation): JsonObject[] {
  const { authentication, scope, platform_scope: platformScope, server } = operation;
  if (authentication === 'none') return [];
  if (authentication === 'basic') return [{ basic: [] }];
  if (server === 'provider_url') return [{ provider_token: [] }];
  return [
    { oauth2: scope === null ? [] : [scope] },
    ...(platformScope === undefined ? [] : [{ oauth2: [platformScope] }]),
  ];
}
