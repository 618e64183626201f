import { parseArgs } from 'node:util';
import type { ClientRecorded, ClientSecret } from '../../kernel/access.ts';
import {
  addSecret, changeClient, liveSecrets, retireSecret, type ClientGrants,
} from '../../domain/client/client.ts';
import { clientLines, shown } from './view.ts';
import { readClients, recordClient } from './log.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { readGrants } from './grants.ts';
import { misuse } from '../usage.ts';

const GRANT_OPTIONS = {
  name: { type: 'string' },
  user: { type: 'string' },
  provider: { type: 'string', multiple: true },
  audience: { type: 'string', multiple: true },
  scope: { type: 'string', multiple: true },
} as const;

/**
 * `rastro client add | list | show | set | rotate | retire | enable | disable`: clients, their
 * secrets, providers, audiences and scopes, all of it through the log.
 */
export async function clientCommand(
  ports: OperatorPorts, args: readonly string[],
): Promise<Report> {
  const { values, positionals } = parseArgs({
    args: [...args], options: GRANT_OPTIONS, allowPositionals: true,
  });
  const [verb, id, secretId] = positionals;
  const grants = readGrants(values);
  if (typeof grants === 'string') return misuse(grants);
  if (verb === 'add') return add(ports, grants, values.user);
  if (verb === 'list') return list(ports);
  const client = (await readClients(ports.reader)).get(id ?? '');
  if (client === undefined) return misuse(`No client ${id ?? '(give its id)'}.`);
  const atMs = ports.clock.nowMs();
  switch (verb) {
    case 'show': return report(client);
    case 'set': return store(ports, changeClient(client, grants, atMs));
    case 'enable': return store(ports, changeClient(client, { status: 'active' }, atMs));
    case 'disable': return store(ports, changeClient(client, { status: 'disabled' }, atMs));
    case 'rotate': return rotate(ports, client);
    case 'retire': return retire(ports, client, secretId ?? '');
    case undefined:
    default: return misuse(`Unknown: client ${verb ?? ''}`);
  }
}

async function add(
  ports: OperatorPorts, grants: ClientGrants, user: string | undefined,
): Promise<Report> {
  if (grants.name === undefined) return misuse('A client needs --name.');
  const clientId = ports.newClientId();
  const { secret, fact } = freshSecret(ports);
  return store(ports, {
    type: 'ClientRecorded',
    client_id: clientId,
    user_id: user ?? clientId,
    name: grants.name,
    providers: grants.providers ?? [],
    audiences: grants.audiences ?? ['rtt'],
    scopes: grants.scopes ?? ['rtt:devices', 'rtt:locations', 'rtt:events'],
    secrets: [fact],
    status: 'active',
    version: 1,
    at_ms: ports.clock.nowMs(),
  }, secret);
}

async function list(ports: OperatorPorts): Promise<Report> {
  const clients = [...(await readClients(ports.reader)).values()].map(shown);
  return {
    value: clients,
    lines: clients.map((each) =>
      `${each.client_id}  ${each.status}  ${each.name}  [${each.providers.join(' ')}]`),
    exitCode: 0,
  };
}

async function rotate(ports: OperatorPorts, client: ClientRecorded): Promise<Report> {
  const { secret, fact } = freshSecret(ports);
  return store(ports, addSecret(client, fact), secret);
}

async function retire(
  ports: OperatorPorts, client: ClientRecorded, secretId: string,
): Promise<Report> {
  const next = retireSecret(client, secretId, ports.clock.nowMs());
  if (next === undefined) return misuse(`No live secret ${secretId} (see client show).`);
  if (liveSecrets(next).length === 0) return misuse('The last live secret: rotate first.');
  return store(ports, next);
}

function freshSecret(ports: OperatorPorts): { secret: string; fact: ClientSecret } {
  const secret = ports.secrets.newSecret();
  const fact = {
    secret_id: ports.ids.nonce().slice(0, 8),
    hash: ports.secrets.hash(secret),
    created_at_ms: ports.clock.nowMs(),
  };
  return { secret, fact };
}

async function store(
  ports: OperatorPorts, client: ClientRecorded, secret?: string,
): Promise<Report> {
  await recordClient(ports, client);
  return report(client, secret);
}

function report(client: ClientRecorded, secret?: string): Report {
  const value = { ...shown(client), ...(secret === undefined ? {} : { client_secret: secret }) };
  return { value, lines: clientLines(client, secret), exitCode: 0 };
}
