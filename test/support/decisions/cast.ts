import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { deviceBody, DEVICES_PATH, movePath } from '../platform-actor.ts';
import { basic } from '../platform-calls.ts';
import { eventually, type TestClient, type TestEnv } from '../platform.ts';
import type { Variables } from './variables.ts';

const GRANTS: Readonly<Record<string, readonly string[]>> = {
  provider: [
    '--provider', 'acme,tiny', '--audience', 'rtt,revoke',
    '--scope', 'rtt:devices,rtt:locations,rtt:events,rtt:commands,query:read',
  ],
  carrier: [
    '--provider', 'acme', '--audience', 'authorizations,tracking-pull,logistic-feed,revoke',
    '--scope', 'authorizations,tracking:push,tracking:read,query:read',
  ],
  platform: ['--platform'],
};
const ROUTES = Object.values(OPERATIONS).map(({ method, path, audience, authentication }) => ({
  method, audience, authentication,
  path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Who calls in examples, and what exists before their first step. */
export interface Cast {
  /** Variables of a new example: its clients, and ids of its own. */
  begin(given: Readonly<Record<string, string>>): Promise<Variables>;
  /** The `Authorization` of a caller for `METHOD /path`; nothing where none is asked for. */
  authorization(
    who: string, call: string, wishes: { readonly audience?: string | undefined },
  ): Promise<string | undefined>;
}

/** A cast that has one client of each kind for all examples, and others where one is given. */
export function createCast(platform: TestEnv): Cast {
  const clients = new Map<string, Promise<TestClient>>();
  const tokens = new Map<string, Promise<string>>();

  function client(who: string, kind: string): Promise<TestClient> {
    const known = clients.get(who) ?? platform.addClient(...GRANTS[kind] ?? []);
    clients.set(who, known);
    return known;
  }

  async function token(who: string, audience: string): Promise<string> {
    const key = `${who} ${audience}`;
    const asked = clients.get(who);
    if (asked === undefined) throw new Error(`There is no client ${who}.`);
    const known = tokens.get(key) ?? platform.token(await asked, audience);
    tokens.set(key, known);
    return known;
  }

  async function device(state: string): Promise<string> {
    const rtt = await token('provider', 'rtt');
    const body = deviceBody();
    let id = '';
    const done = async (path: string): Promise<void> => {
      await eventually(`${path} of a device`, async () => {
        const reply = await platform.call(path, { token: rtt, body });
        id = String(reply.body['id']);
        return reply.status < 300;
      });
    };
    await done(DEVICES_PATH);
    if (state !== 'registered') await done(movePath(id, 'start'));
    if (state === 'stopped') await done(movePath(id, 'stop'));
    return id;
  }

  async function introduce(variables: Variables, name: string, kind: string): Promise<void> {
    if (kind.endsWith(' device')) {
      variables.set(name, await device(kind.replace(' device', '')));
      return;
    }
    const who = name === kind ? name : `${name}-${String(variables.get('id'))}`;
    const { client_id: id, client_secret: secret } = await client(who, kind);
    variables.set(name, id);
    variables.set(`${name}.who`, who);
    variables.set(`${name}.secret`, secret);
    variables.set(`${name}.basic`, basic(id, secret));
    variables.set(`${name}.wrong`, basic(id, 'wrong'));
  }

  return {
    async begin(given) {
      const variables: Variables = new Map<string, unknown>([
        ['id', randomUUID()], ['long', randomInt(1e12, 9e12)], ['number', `T-${randomUUID()}`],
        ['kilobytes', 'x'.repeat(5_000)],
        ['base64', randomBytes(12).toString('base64')],
        ['then', Math.floor(Date.now() / 1_000) - 600],
      ]);
      for (const kind of Object.keys(GRANTS)) await introduce(variables, kind, kind);
      for (const [name, kind] of Object.entries(given)) await introduce(variables, name, kind);
      return variables;
    },
    async authorization(who, call, { audience }) {
      if (who === 'anonymous') return undefined;
      const [method = '', target = ''] = call.split(' ');
      const path = target.replace(/\?.*$/, '');
      const route = ROUTES.find((each) => each.method === method && each.path.test(path));
      if (route?.authentication === 'basic') {
        const { client_id: id, client_secret: secret } = await client(who, 'provider');
        return basic(id, secret);
      }
      const wanted = audience ?? route?.audience ?? undefined;
      return wanted === undefined ? undefined : `Bearer ${await token(who, wanted)}`;
    },
  };
}
