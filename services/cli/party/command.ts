import { parseArgs } from 'node:util';
import type { PartyAuthentication, PartyRecorded } from '../../kernel/parties.ts';
import { changeParty, type PartyChange } from '../../domain/party/party.ts';
import { readParties, recordParty } from './log.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { readPartyOptions, type PartyOptions } from './options.ts';
import { misuse } from '../usage.ts';

const OPTIONS = {
  kind: { type: 'string' },
  name: { type: 'string' },
  provider: { type: 'string' },
  client: { type: 'string' },
  url: { type: 'string' },
  auth: { type: 'string' },
  'token-url': { type: 'string' },
  'auth-client': { type: 'string' },
  audience: { type: 'string' },
  'retry-tries': { type: 'string' },
  'retry-first': { type: 'string' },
  'retry-max': { type: 'string' },
  feed: { type: 'boolean' },
  'agency-contract': { type: 'string', multiple: true },
} as const;

/**
 * `rastro party add | list | show | set | enable | disable | reseal`: whom the platform calls, all
 * of it through the log. The secret comes from `RASTRO_PARTY_SECRET` and is sealed before it goes
 * on.
 */
export async function partyCommand(
  ports: OperatorPorts, args: readonly string[],
): Promise<Report> {
  const { values, positionals } = parseArgs({
    args: [...args], options: OPTIONS, allowPositionals: true,
  });
  const [verb = '', id] = positionals;
  const options = readPartyOptions(values);
  if (typeof options === 'string') return misuse(options);
  const parties = await readParties(ports.reader);
  if (verb === 'add') return add(ports, parties, options);
  if (verb === 'list') return list([...parties.values()]);
  if (verb === 'reseal') return reseal(ports, [...parties.values()]);
  const party = parties.get(id ?? '');
  if (party === undefined) return misuse(`No party ${id ?? '(give its id)'}.`);
  switch (verb) {
    case 'show': return report(party);
    case 'set': return change(ports, parties, party, options);
    case 'enable': return store(ports, parties, party, { status: 'active' });
    case 'disable': return store(ports, parties, party, { status: 'disabled' });
    default: return misuse(`Unknown: party ${verb}`);
  }
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

/** Seals every secret anew by the first key of the vault, so that the others can go. */
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
  const value = { resealed: parties.length };
  return { value, lines: [`${parties.length} parties are sealed anew.`], exitCode: 0 };
}

/** Two active parties of one provider name could not be told apart. */
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
    lines: parties.map(({ party_id, kind, status, name, base_url }) =>
      `${party_id}  ${kind}  ${status}  ${name}  ${base_url}`),
    exitCode: 0,
  };
}

function report(party: PartyRecorded): Report {
  const value = shown(party);
  const lines = Object.entries(value)
    .map(([name, text]) => `${name.padEnd(27)} ${typeof text === 'string' ? text : JSON.stringify(text)}`);
  return { value, lines, exitCode: 0 };
}

/** A party for eyes: how it is called, but no secret, not even a sealed one. */
function shown({ type: _, authentication, ...party }: PartyRecorded): object {
  if (authentication.kind === 'static') return { ...party, authentication: { kind: 'static' } };
  const { sealed_secret: __, ...rest } = authentication;
  return { ...party, authentication: rest };
}
