import {
  example, listOf, someOf, type Command,
} from '../../adapters/command-line/command-line.ts';
import type { ClientRecorded, ClientSecret } from '../../kernel/access.ts';
import {
  addSecret, changeClient, liveSecrets, retireSecret, revokeTokens, type ClientGrants,
} from '../../domain/client/client.ts';
import { clientLines, shown } from './view.ts';
import { readClients, recordClient } from './log.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import {
  AUDIENCES, grantsOf, PLATFORM_GRANTS, SCOPES, type GrantOptions,
} from './grants.ts';
import { changedLimits, limitLines, limitOptions, type LimitOptions } from './limits.ts';
import { tableOf } from '../print/lines.ts';
import { providerName } from '../provider-name.ts';
import { DONE, DONE_OR_NONE, misuse, notFound, noun } from '../noun.ts';
import { showRefusals } from './refusals.ts';

interface Words extends GrantOptions {
  readonly user?: string;
  readonly platform?: boolean;
  readonly sandbox?: boolean;
}

/**
 * `rastro client add | list | show | set | limits | refusals | rotate | retire | revoke-tokens |
 * enable | disable`: clients, their secrets, tokens, providers, audiences, scopes and limits, all
 * of it through the log.
 */
export const clientCommand = noun<OperatorPorts>((command, does) => {
  command.description('Clients: callers that may ask for tokens.');
  example(grantOptions(command.command('add')
    .description('Adds a client and prints its secret, once.')
    .requiredOption('--name <name>', 'name for people')
    .option('--user <id>', 'id of its user; its own id when absent')
    .option('--platform', 'for the platform itself: reads and commands over all parties')
    .option('--sandbox', 'for good a sandbox client, whose calls store nothing that others see'))
    .action(does((ports, words: Words) => add(
      ports, words.platform === true ? ofPlatform(grantsOf(words)) : grantsOf(words), words,
    ))),
  'rastro client add --name Acme --provider acme --scope rtt:devices,rtt:locations', DONE);
  example(command.command('list').description('All clients.')
    .action(does((ports) => list(ports))), 'rastro client list', DONE);
  const one = (verb: string, about: string): Command => example(
    command.command(verb).description(about).argument('<id>', 'id of the client'),
    `rastro client ${verb} 123456789012345`, DONE_OR_NONE,
  );
  one('show', 'One client, without its secrets.')
    .action(does((ports, id: string) => withClient(ports, id, (client) => report(client))));
  grantOptions(one('set', 'Changes the name or the grants of a client.')
    .option('--name <name>', 'name for people')
    .option('--sandbox', 'refused: a client stays what it was added as'))
    .action(does((ports, id: string, words: Words) => set(ports, id, words)));
  limitOptions(one('limits', 'Shows the limits of a client, or sets them.'))
    .action(does((ports, id: string, words: LimitOptions) => limits(ports, id, words)));
  one('refusals', 'What was refused to a client in 7 days, and where its bodies were wrong.')
    .action(does((ports, id: string) => withClient(ports, id, () => showRefusals(ports, id))));
  one('rotate', 'Adds a secret and prints it, once; of two live ones the older is retired.')
    .action(does((ports, id: string) => withClient(ports, id, (client) => rotate(ports, client))));
  example(command.command('retire').description('Retires one of two live secrets.')
    .argument('<id>', 'id of the client').argument('<secret-id>', 'as `rastro client show` lists it')
    .action(does((ports, id: string, secretId: string) =>
      withClient(ports, id, (client) => retire(ports, client, secretId)))),
  'rastro client retire 123456789012345 1a2b3c4d --reason TICKET-7', DONE_OR_NONE);
  example(command.command('revoke-tokens')
    .description('Refuses every token that a client has got until now; it may ask for new ones.')
    .argument('<id>', 'id of the client')
    .action(does((ports, id: string) => withClient(ports, id, (client) => (
      store(ports, revokeTokens(client, ports.clock.nowMs()))
    )))), 'rastro client revoke-tokens 123456789012345 --reason TICKET-7', DONE_OR_NONE);
  one('enable', 'Lets a client ask for tokens again; those from before stay refused.')
    .action(does((ports, id: string) => change(ports, id, { status: 'active' })));
  one('disable', 'Refuses the client, and its tokens for good.')
    .action(does((ports, id: string) => change(ports, id, { status: 'disabled' })));
});

const STAYS = 'A client stays what it was added as; rastro client add --sandbox adds a sandbox client.';

const NO_NUMBERS = 'A sandbox client has no tracking numbers of its own: others would lose them.';

/** What a client may do; each option may be repeated or hold several values divided by commas. */
function grantOptions(command: Command): Command {
  return command
    .option('--provider <names>', 'providers it may send for', listOf(providerName))
    .option('--audience <names>', `audiences of its tokens: ${AUDIENCES.join(', ')}`, someOf(AUDIENCES))
    .option('--scope <names>', `scopes of its tokens: ${SCOPES.join(', ')}`, someOf(SCOPES))
    .option('--tracking-numbers <beginnings>', 'how the numbers begin that are its own', listOf(asItIs));
}

/** What is named otherwise wins over what the platform has. */
function ofPlatform(grants: ClientGrants): ClientGrants {
  const { audiences, scopes } = PLATFORM_GRANTS;
  return { audiences: [...audiences], scopes: [...scopes], ...grants };
}

function asItIs(text: string): string {
  return text;
}

async function set(ports: OperatorPorts, id: string, words: Words): Promise<Report> {
  if (words.sandbox === true) return misuse(STAYS);
  const grants = grantsOf(words);
  return Object.keys(grants).length === 0
    ? misuse('Name what changes (see --help), such as --scope rtt:devices.')
    : change(ports, id, grants);
}

async function withClient(
  ports: OperatorPorts, id: string, use: (client: ClientRecorded) => Report | Promise<Report>,
): Promise<Report> {
  const client = (await readClients(ports.reader)).get(id);
  return client === undefined ? notFound(`No client ${id}.`) : use(client);
}

function change(
  ports: OperatorPorts, id: string, changed: Parameters<typeof changeClient>[1],
): Promise<Report> {
  return withClient(ports, id, (client) => (
    store(ports, changeClient(client, changed, ports.clock.nowMs()))
  ));
}

/** An empty record of limits is none: the deployment's hold. */
function limits(ports: OperatorPorts, id: string, words: LimitOptions): Promise<Report> {
  return withClient(ports, id, async (client) => {
    const changed = changedLimits(client, words);
    if (changed === undefined) {
      return { value: client.limits ?? {}, lines: limitLines(client), exitCode: 0 };
    }
    const { limits: _, ...rest } = changeClient(client, {}, ports.clock.nowMs());
    const isOwn = Object.keys(changed).length > 0;
    const next: ClientRecorded = isOwn ? { ...rest, limits: changed } : rest;
    await recordClient(ports, next);
    return { value: shown(next), lines: limitLines(next), exitCode: 0 };
  });
}

async function add(
  ports: OperatorPorts, grants: ClientGrants, { user, sandbox }: Words,
): Promise<Report> {
  if (grants.name === undefined) return misuse('A client needs --name.');
  if (sandbox === true && grants.tracking_numbers !== undefined) return misuse(NO_NUMBERS);
  const clientId = ports.newClientId();
  const { secret, fact } = freshSecret(ports);
  return store(ports, {
    type: 'ClientRecorded',
    client_id: clientId,
    user_id: user ?? clientId,
    name: grants.name,
    providers: grants.providers ?? [],
    audiences: grants.audiences ?? ['rtt'],
    ...(grants.tracking_numbers === undefined
      ? {} : { tracking_numbers: grants.tracking_numbers }),
    scopes: grants.scopes ?? ['rtt:devices', 'rtt:locations', 'rtt:events'],
    ...(sandbox === true ? { sandbox } : {}),
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
    lines: clients.length === 0 ? ['There is no client.'] : tableOf(
      ['CLIENT', 'STATUS', 'NAME', 'PROVIDERS'],
      clients.map(({ client_id, status, name, providers, sandbox }) => (
        [client_id, sandbox === true ? `${status}, sandbox` : status, name, providers.join(' ')]
      )),
    ),
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
  if (next === undefined) return notFound(`No live secret ${secretId} (see client show).`);
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
