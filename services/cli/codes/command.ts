import interfaceCodes from '../../../schemas/data/notification-codes.json' with { type: 'json' };
import { example, wholeFrom, type Command } from '../../adapters/command-line/command-line.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { catalogueAt, finalCodesOf } from '../../domain/journey/catalogue.ts';
import { cataloguesOf } from '../../domain/journey/read-catalogue.ts';
import { epochMsOf } from '../../kernel/date-time.ts';
import type { NotificationCodesVersion } from '../../kernel/notification-codes.ts';
import { readNotificationCodes } from '../../kernel/read-notification-codes.ts';
import { isoOf } from '../inspect/facts.ts';
import { DONE, DONE_OR_NONE, misuse, notFound, noun } from '../noun.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { at, line, tableOf, timeOf } from '../print/lines.ts';
import { differencesOf } from './differences.ts';
import { readCodesFile, type CodesReading } from './read-file.ts';
import { showCodes } from './show.ts';

/**
 * Seconds between an import and the first validity: longer than any worker goes without reading the
 * catalogue again (`CODES_LIMITS`), so that none classifies by an older version.
 */
const LEAD_SECONDS = 10;
const APPEND_MS_MAX = 15_000;
const FILE = 'notification-codes.json';
const TOPIC = TOPICS.notificationCodes.name;

interface ImportWords {
  readonly validFrom?: string;
  readonly lead: number;
  readonly ifNone: boolean;
}

type CodesPorts = Pick<OperatorPorts, 'log' | 'reader' | 'clock' | 'ids' | 'schemas' | 'readFile'>;

/**
 * `rastro codes import | ls | show | diff`: what notification codes mean, version by version, all
 * of it through the log (decisions.md, Notification codes).
 */
export const codesCommand = noun<CodesPorts>((command, does) => {
  command.description('Notification codes: what each means, and which end a shipment.');
  example(fileArgument(command.command('import')
    .description('Records a file as the next version; it holds for what is received later.'))
    .option('--if-none', 'does nothing when there is a version already', false)
    .option('--valid-from <date-time>', 'when it begins to hold (default: as soon as possible)')
    .option('--lead <seconds>', 'time for workers to learn of it; 0 only while none runs',
      wholeFrom(0, 86_400), LEAD_SECONDS)
    .action(does((ports, file: string, words: ImportWords) => importFile(ports, file, words))),
  `rastro codes import ${FILE} --valid-from 2026-12-01T00:00:00Z`, DONE_OR_NONE);
  example(command.command('ls').description('Every version, and from when on it holds.')
    .action(does((ports) => list(ports))), 'rastro codes ls', DONE);
  example(command.command('show').description('The codes of a version, or one code.')
    .argument('[code]', 'one code')
    .option('--of <n>', 'number of a version (default: the valid one)', wholeFrom(0, 1e6))
    .action(does((ports, code: string | undefined, { of }: { readonly of?: number }) =>
      show(ports, code, of))), 'rastro codes show EX-DELIVERED', DONE_OR_NONE);
  example(fileArgument(command.command('diff').description('What a file would change.'))
    .action(does((ports, file: string) => diff(ports, file))), `rastro codes diff ${FILE}`,
  DONE_OR_NONE);
});

function fileArgument(command: Command): Command {
  return command.argument('<file>', 'a JSON file; docs/how-to/notification-codes.md has its form');
}

async function importFile(
  ports: CodesPorts, file: string, { validFrom, lead, ifNone }: ImportWords,
): Promise<Report> {
  if (ifNone && (await readNotificationCodes(ports.reader, TOPIC)).length > 0) {
    return { value: {}, lines: ['There is a version already.'], exitCode: 0 };
  }
  const atMs = ports.clock.nowMs();
  const least = atMs + lead * 1_000;
  const asked = validFrom === undefined ? least : epochMsOf(validFrom);
  if (asked === undefined) return misuse('--valid-from is no date-time such as 2026-12-01T00:00Z.');
  if (asked < least) return misuse(`The earliest time for --valid-from is ${isoOf(least)}.`);
  const reading = await read(ports, file, asked, lead * 1_000);
  if (reading === undefined) return noFile(file);
  if (!reading.ok) return misuse(reading.faults.join('\n'));
  const { fact } = reading;
  await ports.log.append({
    topic: TOPIC, key: fact.codes_id,
    value: Buffer.from(JSON.stringify(fact)), headers: { 'received-at': String(fact.at_ms) },
  }, atMs + APPEND_MS_MAX);
  const { recorded, catalogues } = await versionsOf(ports);
  const version = 1 + recorded.findIndex((each) => each.recorded.codes_id === fact.codes_id);
  const catalogue = catalogues[version] ?? catalogues[0];
  const final = finalCodesOf(catalogue);
  return {
    value: { ...fact, version },
    lines: [
      line`Version ${version} (${fact.name}) holds from ${at(catalogue.validFromMs)}: ${
        Object.keys(fact.codes).length} codes, ${final} of them final.`,
      ...(final === 0 ? ['No code is final: no shipment will ever end.'] : []),
      ...(fact.sample === true ? ['It is the sample: never use it in production.'] : []),
    ],
    exitCode: 0,
  };
}

async function read(
  ports: CodesPorts, file: string, validFromMs: number, leadMs: number,
): Promise<CodesReading | undefined> {
  const text = await ports.readFile(file);
  if (text === undefined) return undefined;
  return readCodesFile(text, ports.schemas, {
    codes_id: ports.ids.nonce(), valid_from_ms: validFromMs, lead_ms: leadMs,
    at_ms: ports.clock.nowMs(),
  }, Object.keys(interfaceCodes.codes));
}

function noFile(file: string): Report {
  return notFound(`There is no file ${file}.`);
}

async function versionsOf({ reader }: CodesPorts): Promise<{
  readonly recorded: readonly NotificationCodesVersion[];
  readonly catalogues: ReturnType<typeof cataloguesOf>;
}> {
  const recorded = await readNotificationCodes(reader, TOPIC);
  return { recorded, catalogues: cataloguesOf(interfaceCodes, recorded) };
}

async function list(ports: CodesPorts): Promise<Report> {
  const { recorded, catalogues } = await versionsOf(ports);
  const valid = catalogueAt(catalogues, ports.clock.nowMs());
  const rows = catalogues.map((catalogue, at) => {
    const fact = recorded[at - 1]?.recorded;
    return {
      version: at, name: fact?.name ?? 'the interface alone',
      valid_from: fact === undefined ? 'always' : isoOf(catalogue.validFromMs),
      codes: catalogue.codes.size, final: finalCodesOf(catalogue),
      state: catalogue === valid ? 'valid' : '', sample: fact?.sample === true,
    };
  });
  return {
    value: rows,
    lines: tableOf(
      ['VERSION', 'NAME', 'VALID FROM', 'CODES', 'FINAL', 'STATE'],
      rows.map((row) => [
        String(row.version), row.sample ? `${row.name} (sample)` : row.name,
        row.valid_from === 'always' ? row.valid_from : timeOf(row.valid_from),
        String(row.codes), String(row.final), row.state,
      ]),
    ),
    exitCode: 0,
  };
}

async function show(
  ports: CodesPorts, code: string | undefined, version: number | undefined,
): Promise<Report> {
  const { recorded, catalogues } = await versionsOf(ports);
  const catalogue = version === undefined
    ? catalogueAt(catalogues, ports.clock.nowMs()) : catalogues[version];
  if (catalogue === undefined) return notFound(`There is no version ${version ?? ''}.`);
  return showCodes(catalogue, recorded[catalogues.indexOf(catalogue) - 1], code);
}

async function diff(ports: CodesPorts, file: string): Promise<Report> {
  const reading = await read(ports, file, ports.clock.nowMs(), 0);
  if (reading === undefined) return noFile(file);
  if (!reading.ok) return misuse(reading.faults.join('\n'));
  const { catalogues } = await versionsOf(ports);
  const version = { version: 0, recorded: reading.fact, appendedAtMs: 0 };
  const [alone, after = alone] = cataloguesOf(interfaceCodes, [version]);
  const found = differencesOf(catalogueAt(catalogues, ports.clock.nowMs()), after);
  return {
    value: found,
    lines: found.length === 0 ? ['It changes no code.'] : tableOf(
      ['CODE', 'CARRIER', 'NOW', 'THEN'],
      found.map(({ code, carrier = '', before, after: then }) => [code, carrier, before, then]),
    ),
    exitCode: 0,
  };
}
