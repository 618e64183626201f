import type { CommandAudited } from '../../../schemas/generated/types.ts';
import type { NamedCommand } from '../../adapters/command-line/named-command.ts';
import type { CommandSubject, SubjectKind } from '../../operator/audit/subjects.ts';

/** What a command reads or changes. */
export type Touched = CommandAudited['touches'];

/** How a command is audited. */
export interface AuditRule {
  readonly touches: Touched;
  /** Whom or what it is about, by its words and options; undefined where they name nothing. */
  readonly subject: (call: NamedCommand) => CommandSubject | undefined;
  /** How the audit calls it; its path where this is absent. */
  readonly named?: (call: NamedCommand) => string;
  /** Whether it must say why: it opens persons, or changes what cannot be changed back. */
  readonly needsReason: (call: NamedCommand) => boolean;
}

/** A command that touches nothing of the audited kinds, and why that is so. */
export interface Unaudited {
  readonly unaudited: string;
}

type SubjectOf = AuditRule['subject'];

/** Options that say how a command is run, and not what it changes. */
const OF_EVERY_COMMAND = ['actor', 'reason', 'json', 'wide', 'utc', 'epoch'];
/** For a command that reads without options and changes with them: which ones, without values. */
const withOptions = ({ path, options }: NamedCommand): string => [
  path, ...Object.keys(options).filter((name) => !OF_EVERY_COMMAND.includes(name)).map((name) => (
    `--${name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`
  )),
].join(' ');

const never = (): boolean => false;
const always = (): boolean => true;
const unlessDryRun = ({ options }: NamedCommand): boolean => options['dryRun'] !== true;
const replaces = ({ options }: NamedCommand): boolean => options['replace'] === true;
const none: SubjectOf = () => undefined;

const word = (kind: SubjectKind, at = 0): SubjectOf => ({ words }) => subject(kind, words[at]);
const option = (kind: SubjectKind, name: string): SubjectOf => ({ options }) => (
  subject(kind, options[name])
);
const firstOf = (...selectors: readonly SubjectOf[]): SubjectOf => (call) => (
  selectors.map((selector) => selector(call)).find((found) => found !== undefined)
);

function subject(kind: SubjectKind, text: unknown): CommandSubject | undefined {
  return typeof text === 'string' && text !== '' ? { kind, text } : undefined;
}

function audited(
  touches: Touched, selector: SubjectOf, needsReason: AuditRule['needsReason'] = never,
): AuditRule {
  return { touches, subject: selector, needsReason };
}

const OF_A_PERSON = firstOf(option('device', 'device'), option('shipment', 'shipment'));
const OF_OVERFLOW = firstOf(word('device'), option('provider', 'provider'));
const OF_A_DEAD_LETTER = firstOf(word('dead-letter'), option('topic', 'topic'));

/**
 * Every command of `rastro`, by its name: how it is audited, or why it is not. A command that has
 * no row does not run.
 */
export const AUDIT_RULES: Readonly<Record<string, AuditRule | Unaudited>> = {
  'client add': audited('clients', option('client-name', 'name')),
  'client list': audited('clients', none),
  'client show': audited('clients', word('client')),
  'client set': audited('clients', word('client')),
  'client limits': { ...audited('clients', word('client')), named: withOptions },
  'client refusals': audited('clients', word('client')),
  'client rotate': audited('clients', word('client'), always),
  'client retire': audited('clients', word('client'), always),
  'client revoke-tokens': audited('clients', word('client'), always),
  'client enable': audited('clients', word('client')),
  'client disable': audited('clients', word('client')),
  'console link': { ...audited('clients', option('client', 'client')), named: withOptions },
  'party add': audited('parties', option('provider', 'provider')),
  'party list': audited('parties', none),
  'party show': audited('parties', word('party')),
  'party set': audited('parties', word('party')),
  'party enable': audited('parties', word('party')),
  'party disable': audited('parties', word('party')),
  'party reseal': audited('parties', none, always),
  'webhook add': audited('webhooks', option('client', 'client')),
  'webhook list': audited('webhooks', none),
  'webhook show': audited('webhooks', word('webhook')),
  'webhook rotate': audited('webhooks', word('webhook'), always),
  'webhook remove': audited('webhooks', word('webhook'), always),
  'webhook pause': audited('webhooks', word('webhook')),
  'webhook resume': audited('webhooks', word('webhook')),
  'webhook replay': audited('webhooks', word('webhook')),
  'webhook parked': audited('webhooks', word('webhook')),
  'webhook skip': audited('webhooks', word('webhook'), always),
  'command send': audited('provider-commands', word('provider')),
  'command list': audited('provider-commands', option('provider', 'provider')),
  'command show': audited('provider-commands', word('command')),
  'command resend': audited('provider-commands', word('command')),
  'command cancel': audited('provider-commands', word('command'), always),
  'authorization send': audited('shipments', word('party')),
  'authorization list': audited('shipments', option('party', 'carrier')),
  'authorization changes': audited('shipments', option('order', 'order')),
  'authorization show': audited('shipments', word('call')),
  'authorization retry': audited('shipments', word('call')),
  'authorization cancel': audited('shipments', word('call'), always),
  'person show': audited('persons', OF_A_PERSON, always),
  'person erase': audited('persons', OF_A_PERSON, always),
  'person erase-driver': audited('persons', word('driver'), always),
  'person reapply': audited('persons', none, always),
  'person rewrap': audited('persons', none, always),
  'device': audited('devices', word('device')),
  'shipment': audited('shipments', firstOf(word('shipment'), option('order', 'order'))),
  'shipment reassign': audited('shipments', word('shipment'), always),
  'overflow add': audited('overflow', OF_OVERFLOW),
  'overflow rm': audited('overflow', OF_OVERFLOW),
  'overflow ls': audited('overflow', none),
  'codes import': audited('codes', none),
  'codes ls': audited('codes', none),
  'codes show': audited('codes', word('code')),
  'codes diff': audited('codes', none),
  'zone add': audited('zones', word('zone')),
  'zone import': audited('zones', none),
  'zone ls': audited('zones', none),
  'zone rm': audited('zones', word('zone')),
  'dlq ls': audited('dead-letters', option('topic', 'topic')),
  'dlq show': audited('dead-letters', OF_A_DEAD_LETTER, always),
  'dlq replay': audited('dead-letters', OF_A_DEAD_LETTER),
  'dlq release': audited('dead-letters', word('key'), unlessDryRun),
  'dlq discard': audited('dead-letters', OF_A_DEAD_LETTER, unlessDryRun),
  'restore': audited('tables', word('backup'), replaces),
  'audit': { unaudited: 'It reads the audit itself.' },
  'lag': { unaudited: 'It reads numbers of groups and topics, and no record.' },
  'topics': { unaudited: 'It reads names and sizes of topics, and no record.' },
  'consumer add': { unaudited: 'It prints the rights of a user, and grants none.' },
  'consumer topics': { unaudited: 'It shows the catalog alone.' },
  'hot-keys': { unaudited: 'It counts bytes by key; it shows no value, and no key of a person.' },
  'drain': { unaudited: 'It ends a process of this machine in order, and waits for groups.' },
  'analyst add': audited('tables', word('analyst')),
  'analyst ls': audited('tables', none),
  'analyst rm': audited('tables', word('analyst'), always),
  'archive': {
    unaudited: 'It copies views with the login of the analyst alone, as an export does.',
  },
  'export': {
    unaudited: 'It reads views with the login of the analyst alone, who may ask the store without it;'
      + ' the store keeps its own log of queries.',
  },
  'rebuild redis': { unaudited: 'It makes a store say what the log says, and shows no record.' },
  'rebuild clickhouse': { unaudited: 'It writes what the log says, and shows no record.' },
  'backup': { unaudited: 'It copies the tables to their own disk, and shows no record.' },
  'verify': { unaudited: 'It compares hashes, and shows no record.' },
  'capacity': { unaudited: 'It calculates from a file.' },
  'completion': { unaudited: 'It prints the words of this program.' },
  'conformance': { unaudited: 'It calls a system from outside, as a client of it.' },
};
