import { example, oneOf, repeated, type Command } from '../../adapters/command-line/command-line.ts';
import type { PartyAuthentication, PartyRecorded } from '../../kernel/parties.ts';
import { changeParty, type PartyChange } from '../../domain/party/party.ts';
import { readParties, recordParty } from './log.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { tableOf } from '../print/lines.ts';
import { membersOf } from '../print/members.ts';
import { resealWebhooks } from '../webhook/log.ts';
import {
  AUTHENTICATIONS, KINDS, readPartyOptions, type PartyOptions, type PartyWords,
} from './options.ts';
import { providerName } from '../provider-name.ts';
import { DONE, DONE_OR_NONE, misuse, notFound, noun } from '../noun.ts';

/**
 * `rastro party add | list | show | set | enable | disable | reseal`: whom the platform calls, all
 * of it through the log. The secret comes from `RASTRO_PARTY_SECRET` and is sealed before it goes
 * on.
 */
export const partyCommand = noun<OperatorPorts>((command, does) => {
  command.description('Parties: whom the platform calls. Their secret comes from RASTRO_PARTY_SECRET.');
  example(changeOptions(command.command('add').description('Adds a party.')
    .requiredOption('--kind <kind>', KINDS.join(' or '), oneOf(KINDS))
    .requiredOption('--name <name>', 'name for people')
    .requiredOption('--url <url>', 'where its API begins'))
    .action(does((ports, words: PartyWords) => withOptions(words, async (options) => (
      add(ports, await readParties(ports.reader), options)
    )))),
  'rastro party add --kind provider --name Acme --provider acme --url https://acme.example --auth static',
  DONE);
  example(command.command('list').description('All parties.')
    .action(does(async ({ reader }) => list([...(await readParties(reader)).values()]))),
  'rastro party list', DONE);
  const one = (verb: string, about: string): Command => example(
    command.command(verb).description(about).argument('<id>', 'id of the party'),
    `rastro party ${verb} p-1f2e3d4c5b6a`, DONE_OR_NONE,
  );
  one('show', 'One party, without its secret.').action(does((ports, id: string) =>
    withParty(ports, id, (_parties, party) => report(party))));
  changeOptions(one('set', 'Changes a party.')
    .option('--name <name>', 'name for people')
    .option('--url <url>', 'where its API begins'))
    .action(does((ports, id: string, words: PartyWords) => withOptions(words, (options) => (
      withParty(ports, id, (parties, party) => change(ports, parties, party, options))
    ))));
  one('enable', 'Calls the party again.').action(does((ports, id: string) =>
    withParty(ports, id, (parties, party) => store(ports, parties, party, { status: 'active' }))));
  one('disable', 'Calls the party no more.').action(does((ports, id: string) =>
    withParty(ports, id, (parties, party) => store(ports, parties, party, { status: 'disabled' }))));
  example(command.command('reseal')
    .description('Seals every secret again with the first key of RASTRO_VAULT_KEY.')
    .action(does(async (ports) => reseal(ports, [...(await readParties(ports.reader)).values()]))),
  'rastro party reseal', DONE);
});

function changeOptions(command: Command): Command {
  return command
    .option('--provider <name>', 'name of the provider', providerName)
    .option('--client <id>', 'client of ours that is the same party')
    .option('--auth <kind>', `${AUTHENTICATIONS.join(' or ')}; the token or secret is RASTRO_PARTY_SECRET`,
      oneOf(AUTHENTICATIONS))
    .option('--token-url <url>', 'where its tokens come from')
    .option('--auth-client <id>', 'as which client to ask for tokens')
    .option('--audience <name>', 'audience to ask for (default rtt)')
    .option('--retry-tries <n>', 'tries of an authorization')
    .option('--retry-first <s>', 'seconds before the second try')
    .option('--retry-max <s>', 'seconds between two tries at most')
    .option('--feed', 'its notifications are fetched')
    .option('--agency-contract <name>', 'a contract that needs an agency', repeated);
}

async function withOptions(
  words: PartyWords, use: (options: PartyOptions) => Promise<Report>,
): Promise<Report> {
  const options = readPartyOptions(words);
  return typeof options === 'string' ? misuse(options) : use(options);
}

async function withParty(
  { reader }: OperatorPorts, id: string,
  use: (
    parties: ReadonlyMap<string, PartyRecorded>, party: PartyRecorded,
  ) => Report | Promise<Report>,
): Promise<Report> {
  const parties = await readParties(reader);
  const party = parties.get(id);
  return party === undefined ? notFound(`No party ${id}.`) : use(parties, party);
}

async function add(
  ports: OperatorPorts, parties: ReadonlyMap<string, PartyRecorded>, options: PartyOptions,
): Promise<Report> {
  const { kind, name, base_url } = options.change;
  if (kind === undefined || name === undefined || base_url === undefined) {
    return misuse('A party needs --kind, --name and --url.');
  }
  if (kind === 'provider' && options.change.provider === undefined) {
    return misuse('A provider needs --provider.');
  }
  const authentication = sealed(ports, options);
  if (typeof authentication === 'string') return misuse(authentication);
  const { kind: _, ...rest } = options.change;
  return store(ports, parties, {
    type: 'PartyRecorded', party_id: `p-${ports.ids.nonce().slice(0, 12)}`, kind, name, base_url,
    authentication, contracts_requiring_agency: [], status: 'active', version: 0, at_ms: 0,
  }, rest);
}

async function change(
  ports: OperatorPorts, parties: ReadonlyMap<string, PartyRecorded>, party: PartyRecorded,
  options: PartyOptions,
): Promise<Report> {
  const { kind: _, ...rest } = options.change;
  if (options.auth === undefined) return store(ports, parties, party, rest);
  const authentication = sealed(ports, options);
  if (typeof authentication === 'string') return misuse(authentication);
  return store(ports, parties, party, { ...rest, authentication });
}

/** The authentication with its secret sealed, or what is missing for it. */
function sealed(ports: OperatorPorts, { auth }: PartyOptions): PartyAuthentication | string {
  const { vault, partySecret } = ports;
  if (auth === undefined) return 'Say --auth static or --auth client-credentials.';
  if (vault === undefined) return 'Set RASTRO_VAULT_KEY: secrets are kept sealed.';
  if (partySecret === undefined) return 'Set RASTRO_PARTY_SECRET to the token or secret.';
  const secret = vault.seal(partySecret);
  return auth.kind === 'static'
    ? { kind: 'static', sealed_token: secret }
    : { ...auth, sealed_secret: secret };
}

/** Seals every secret again by the first key of the vault, so that the others can go. */
async function reseal(
  ports: OperatorPorts, parties: readonly PartyRecorded[],
): Promise<Report> {
  const { vault } = ports;
  if (vault === undefined) return misuse('Set RASTRO_VAULT_KEY: secrets are kept sealed.');
  for (const party of parties) {
    const { authentication } = party;
    const anew = (sealed: string): string => vault.seal(vault.open(sealed));
    await recordParty(ports, changeParty(party, {
      authentication: authentication.kind === 'static'
        ? { kind: 'static', sealed_token: anew(authentication.sealed_token) }
        : { ...authentication, sealed_secret: anew(authentication.sealed_secret) },
    }, ports.clock.nowMs()));
  }
  const webhooks = await resealWebhooks(ports, vault);
  const value = { resealed: parties.length, webhooks };
  const said = `${parties.length} parties and ${webhooks} webhooks are sealed again.`;
  return { value, lines: [said], exitCode: 0 };
}

/** Two active parties of one provider name would be ambiguous. */
async function store(
  ports: OperatorPorts, parties: ReadonlyMap<string, PartyRecorded>, party: PartyRecorded,
  changed: PartyChange,
): Promise<Report> {
  const next = changeParty(party, changed, ports.clock.nowMs());
  const other = [...parties.values()].find((each) => each.party_id !== next.party_id
    && each.status === 'active' && each.provider !== undefined && each.provider === next.provider);
  if (next.status === 'active' && other !== undefined) {
    return misuse(`Provider ${next.provider ?? ''} is ${other.party_id} already; disable it first.`);
  }
  await recordParty(ports, next);
  return report(next);
}

function list(parties: readonly PartyRecorded[]): Report {
  return {
    value: parties.map(shown),
    lines: parties.length === 0 ? ['There is no party.'] : tableOf(
      ['PARTY', 'KIND', 'STATUS', 'PROVIDER', 'NAME', 'URL'],
      parties.map(({ party_id, kind, status, provider = '-', name, base_url }) => (
        [party_id, kind, status, provider, name, base_url]
      )),
    ),
    exitCode: 0,
  };
}

function report(party: PartyRecorded): Report {
  const value = shown(party);
  return { value, lines: membersOf(value), exitCode: 0 };
}

/** A party for eyes: how it is called, but no secret, not even a sealed one. */
function shown({ type: _, authentication, ...party }: PartyRecorded): object {
  if (authentication.kind === 'static') return { ...party, authentication: { kind: 'static' } };
  const { sealed_secret: __, ...rest } = authentication;
  return { ...party, authentication: rest };
}
