import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { misrouted, unknownSecrets } from '../../../infra/check/console-proxy.ts';
import { resourcesOf, type Resource } from '../../../infra/check/resources.ts';
import { httpRoutes } from '../../../infra/generate/routes.ts';
import { valuesFiles } from '../../../infra/values/overlay.ts';
import { readValues } from '../../../infra/values/read-values.ts';

const COMPONENTS = join(process.cwd(), 'infra/kubernetes/components');
const of = (path: string): string => readFileSync(join(COMPONENTS, path), 'utf8');
const resourcesIn = (path: string): readonly Resource[] =>
  parseAllDocuments(of(path)).map((document) => document.toJS() as Resource);

interface Patched {
  readonly patches: readonly [{
    readonly target: { readonly kind: string; readonly name: string }; readonly patch: string;
  }];
}

/** The routes as the component leaves them: its one patch, which replaces a name. */
function routes(component: string): readonly Resource[] {
  const { patches: [{ target, patch }] } = parse(component) as Patched;
  const [{ op, path, value }] = parse(patch) as [{ op: string; path: string; value: string }];
  expect([target.kind, op, path])
    .toEqual(['HTTPRoute', 'replace', '/spec/rules/0/backendRefs/0/name']);
  const all = structuredClone(httpRoutes()) as unknown as (Resource & {
    readonly spec: { readonly rules: [{ readonly backendRefs: [{ name: string }] }] };
  })[];
  for (const each of all.filter(({ metadata }) => new RegExp(`^(${target.name})$`).test(metadata.name))) {
    each.spec.rules[0].backendRefs[0].name = value;
  }
  return all;
}

const kustomization = of('oidc/kustomization.yaml');
const gateways = resourcesIn('gateway-api/gateway.yaml');
const proxy = resourcesIn('oidc/proxy.yaml');

describe('the way to the proxy of the console', () => {
  it('is /console at both addresses, and nothing else', () => {
    expect(misrouted([...gateways, ...routes(kustomization)])).toEqual([]);
  });

  it('would show a call of a provider that came to it, and a page that came past it', () => {
    const wider = routes(kustomization.replace('name: console\n', 'name: console|ingest\n'));
    expect(misrouted([...gateways, ...wider]))
      .toEqual(['HTTPRoute ingest leads /shipping/rtt/georeceiver to the proxy']);
    const none = routes(kustomization.replace('name: console\n', 'name: other\n'));
    expect(misrouted([...gateways, ...none])).toEqual([
      'HTTPRoute console leads /console past the proxy',
      'Gateway rastro has no way to the proxy', 'Gateway rastro-platform has no way to the proxy',
    ]);
  });
});

describe('the secrets of the proxy', () => {
  it('are those that the external store brings', () => {
    expect(unknownSecrets([...proxy, ...resourcesIn('oidc/secret.yaml')])).toEqual([]);
  });

  it('would be missed, each by its key', () => {
    const other = of('oidc/secret.yaml').replace('secretKey: OAUTH2_PROXY_CLIENT_ID', 'secretKey: ID');
    expect(unknownSecrets([...proxy, ...resourcesOf(other)]))
      .toEqual(['has no Secret rastro-console-proxy/OAUTH2_PROXY_CLIENT_ID for the proxy']);
  });
});

describe('the settings of the proxy', () => {
  const settings = new Map([...of('oidc/oauth2-proxy.cfg').matchAll(/^(\w+) = (.+)$/gm)]
    .map(([, name = '', value = '']) => [name, parse(value) as unknown]));

  it('keep its cookie from scripts, other sites, lines without TLS and the interface', () => {
    expect(Object.fromEntries([...settings].filter(([name]) => /^cookie_(?!csrf|refresh)/.test(name))))
      .toEqual({
        cookie_name: '__Secure-rastro-console', cookie_path: '/console', cookie_secure: true,
        cookie_httponly: true, cookie_samesite: 'lax', cookie_expire: '12h',
      });
  });

  it('send no word about a person to the gateways, and believe none of a caller', () => {
    for (const name of [
      'pass_basic_auth', 'pass_user_headers', 'pass_access_token', 'pass_authorization_header',
      'skip_jwt_bearer_tokens', 'reverse_proxy', 'insecure_oidc_skip_nonce',
    ]) expect([name, settings.get(name)]).toEqual([name, false]);
    expect(settings.get('pass_host_header')).toBe(true);
  });

  it('let no one past the sign-in but who signs out, and have its own pages below /console', () => {
    expect(settings.get('skip_auth_routes')).toEqual(['POST=^/console/session/end$']);
    expect([...settings.keys()].filter((name) => /trusted|htpasswd|skip_auth_regex|preflight/.test(name)))
      .toEqual([]);
    expect(settings.get('proxy_prefix')).toBe('/console/oauth2');
    expect(settings.get('upstreams')).toEqual(['http://control/console/']);
  });

  it('come with who signs people in from the values, and the proxy only with them', () => {
    const example = readFileSync(
      join(process.cwd(), 'infra/kubernetes/overlays/prod/example.yaml'), 'utf8',
    );
    const { 'kustomization.yaml': text = '' } = valuesFiles(readValues(example));
    expect(text).toContain('components/oidc');
    const { patches } = parse(text) as {
      readonly patches: readonly { readonly target: { name?: string }; readonly patch: string }[];
    };
    const own = patches.find(({ target }) => target.name === 'rastro-console-identity');
    expect(JSON.parse(own?.patch ?? '[]')).toMatchObject([
      { path: '/data/OAUTH2_PROXY_OIDC_ISSUER_URL', value: 'https://login.example/realms/staff' },
      { path: '/data/OAUTH2_PROXY_EMAIL_DOMAINS', value: 'staff.example' },
    ]);
    const tree = parse(example) as Readonly<Record<string, unknown>>;
    const without = (console: object): string => stringify({ ...tree, console });
    const { 'kustomization.yaml': none = '' } = valuesFiles(readValues(
      without({ issuer: 'none', email_domains: ['none'] }),
    ));
    expect(none).not.toMatch(/oidc|OAUTH2|console-identity/);
    expect(() => readValues(without({ issuer: 'none', email_domains: ['staff.example'] })))
      .toThrow(/console\.email_domains must be \[none\] where console\.issuer is none/);
  });
});

describe('the page that sends people to sign in', () => {
  const page = of('oidc/sign_in.html');
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(page) ?? [];

  function sentTo(hash: string): readonly string[] {
    const sent: string[] = [];
    runInNewContext(script, {
      location: { hash, replace: (address: string) => sent.push(address) }, encodeURIComponent,
    });
    return sent;
  }

  it('runs its own script alone, by its digest', () => {
    expect(page).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(page).not.toContain('unsafe');
  });

  it('brings people back to the page that they wanted', () => {
    expect(sentTo('')).toEqual(['/console/oauth2/start?rd=%2Fconsole%2F']);
    expect(sentTo('#/device/12'))
      .toEqual(['/console/oauth2/start?rd=%2Fconsole%2F%23%2Fdevice%2F12']);
  });

  it('sends a one-time link nowhere', () => {
    expect(sentTo(`#link=${'a'.repeat(45)}`)).toEqual([]);
  });
});
