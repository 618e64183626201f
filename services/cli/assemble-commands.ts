import type { ProgramPorts } from './assemble-open.ts';
import type { Noun } from './noun.ts';
import type { OperatorPorts } from './ports.ts';
import { within, type CommandEnv, type Open, type Opened, type Program } from './within.ts';

/** A command of `rastro`: what the list of commands says of it, and all else when it is called. */
export interface CommandEntry {
  readonly group: string;
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  readonly load: () => Promise<Program>;
}

const WATCH = 'Is it healthy?';
const INSPECT = 'What happened to one thing?';
const PARTNERS = 'Partners and what they are asked for:';
const TABLES = 'Tables, analysts and stores:';
/** The last group of the help. */
export const PLAN = 'Plan and examine:';

/** Loaded only when a command runs: help and wrong words need no client of any store. */
const opening = () => import('./assemble-open.ts');
const openLog: Open<OperatorPorts> = async (around) => (await opening()).operatorPorts(around);
const openNothing: Open<CommandEnv> = (around) => bare(around);
const openProgram: Open<ProgramPorts> = async (around) => (await opening()).programPorts(around);

/** Every command of `rastro`, in the order of its help. */
export const COMMANDS: readonly CommandEntry[] = [
  entry(WATCH, 'lag', 'how far each worker is behind the log',
    async () => (await import('./watch/lag-command.ts')).lagCommand,
    async (around) => (await opening()).watchingPorts(around)),
  entry(WATCH, 'topics', 'what the log holds, and whether a topic is missing',
    async () => (await import('./watch/topics-command.ts')).topicsCommand, openLog),
  entry(WATCH, 'hot-keys', 'keys that delay the others of their partition',
    async () => (await import('./watch/hot-keys-command.ts')).hotKeysCommand, openLog),
  entry(WATCH, 'overflow', 'diverts hot devices and providers, and brings them back',
    async () => (await import('./overflow/command.ts')).overflowCommand, openLog),
  entry(WATCH, 'drain', 'takes a process out, or waits until groups are idle',
    async () => (await import('./drain/command.ts')).drainCommand, openLog),
  entry(INSPECT, 'device', 'one device: owner, state, last fix, what it sent last',
    async () => (await import('./inspect/device-command.ts')).deviceCommand, openLog),
  entry(INSPECT, 'shipment', 'one shipment: authorizations, status, journey',
    async () => (await import('./inspect/shipment-command.ts')).shipmentCommand, openLog),
  entry(INSPECT, 'dlq', 'dead letters: records that could not be applied, and their repair',
    async () => (await import('./dead-letters/command.ts')).dlqCommand,
    async (around) => (await opening()).deadLetterPorts(around)),
  entry(INSPECT, 'audit', 'who asked for which command on what, when and why',
    async () => (await import('./audit/command.ts')).auditCommand, openLog),
  entry(INSPECT, 'person', 'what the log holds about persons, and its erasure',
    async () => (await import('./person/command.ts')).personCommand, openLog),
  entry(PARTNERS, 'client', 'who may ask for tokens: secrets, grants, limits',
    async () => (await import('./client/command.ts')).clientCommand, openLog),
  entry(PARTNERS, 'console', 'a link that signs a browser in',
    async () => (await import('./console/command.ts')).consoleCommand, openLog),
  entry(PARTNERS, 'party', 'whom the platform calls',
    async () => (await import('./party/command.ts')).partyCommand, openLog),
  entry(PARTNERS, 'webhook', 'facts that are posted to partners, and what waits or is parked',
    async () => (await import('./webhook/command.ts')).webhookCommand, openLog),
  entry(PARTNERS, 'command', 'commands to providers: send, list, cancel, send again',
    async () => (await import('./provider-command/command.ts')).providerCommand, openLog),
  entry(PARTNERS, 'authorization', 'authorizations that carriers are asked for',
    async () => (await import('./authorization/command.ts')).authorizationCommand, openLog),
  entry(PARTNERS, 'codes', 'what notification codes mean, version by version',
    async () => (await import('./codes/command.ts')).codesCommand, openLog),
  entry(PARTNERS, 'zone', 'places with a name, whose visits analysts read',
    async () => (await import('./zone/command.ts')).zoneCommand, openLog),
  entry(PARTNERS, 'consumer', 'programs of others that read topics of the log',
    async () => (await import('./consumer/command.ts')).consumerCommand,
    async () => bare((await import('./consumer/assemble.ts')).CONSUMER_PORTS)),
  entry(TABLES, 'export', 'rows of a view as a file for other tools',
    async () => (await import('./export/command.ts')).exportCommand,
    async (around) => (await opening()).exportPorts(around)),
  entry(TABLES, 'archive', 'closed days as Parquet beyond the life of the tables',
    async () => (await import('./archive/command.ts')).archiveCommand,
    async (around) => (await opening()).archivePorts(around)),
  entry(TABLES, 'analyst', 'logins of analysts and teams, each with a quota',
    async () => (await import('./analyst/command.ts')).analystCommand,
    async (around) => (await opening()).analystPorts(around)),
  entry(TABLES, 'rebuild', 'a store from the log, or how it differs',
    async () => (await import('./rebuild/assemble.ts')).rebuildCommand, openProgram),
  entry(TABLES, 'backup', 'backs up the tables',
    async () => (await import('./backup/assemble.ts')).backupCommand, openProgram),
  entry(TABLES, 'restore', 'brings the tables back from a backup and the log after it',
    async () => (await import('./backup/assemble.ts')).restoreCommand,
    async (around) => (await opening()).portsWithOutput(around)),
  entry(TABLES, 'verify', 'whether a restore would give the tables back',
    async () => (await import('./backup/assemble.ts')).verifyCommand, openProgram),
  entry(PLAN, 'capacity', 'what a fleet needs, with the arithmetic',
    async () => (await import('./capacity/command.ts')).capacityCommand,
    async () => bare((await import('./capacity/assemble.ts')).CAPACITY_PORTS)),
  entry(PLAN, 'conformance', 'examines a receiver, a provider or a carrier',
    async () => (await import('./conformance/command.ts')).conformanceCommand, openNothing),
];

/** Makes an entry; its words and ports are checked against each other here. */
export function entry<Ports>(
  group: string, name: string, summary: string,
  noun: () => Promise<Noun<Ports>>, open: Open<Ports>,
): CommandEntry {
  return {
    group, name, summary,
    load: async () => {
      const { define } = await noun();
      return (command, does) => define(command, within(open, does));
    },
  };
}

/** Ports that need no opening. */
export function bare<Ports>(ports: Ports): Opened<Ports> {
  return { ports, close: () => Promise.resolve() };
}
