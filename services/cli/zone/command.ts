import { example, type Command } from '../../adapters/command-line/command-line.ts';
import type { ZoneRecorded } from '../../../schemas/generated/types.ts';
import { drawZone, removeZone, type ZoneDraft } from '../../domain/zone/zone.ts';
import { epochMsOf } from '../../kernel/date-time.ts';
import { DONE, DONE_OR_NONE, misuse, notFound, noun } from '../noun.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { at, line, tableOf } from '../print/lines.ts';
import { readZones, recordZone } from './log.ts';
import { readZonesFile, wordsOf, ZONE_ID } from './read-file.ts';
import { circleFrom } from './shape.ts';

/** What the commands about zones take. */
export type ZonePorts = Pick<OperatorPorts, 'log' | 'reader' | 'clock' | 'readFile'>;

interface ValidityWords {
  readonly validFrom?: string;
  readonly validTo?: string;
}

interface AddWords extends ValidityWords {
  readonly circle: string;
  readonly name?: string;
  readonly kind?: string;
  readonly owner?: string;
}

/**
 * `rastro zone add | import | ls | rm`: places with a name, whose visits ClickHouse computes. A
 * version is a fact in the log and takes the place of the one before it from its own beginning on
 * (ADR 0069).
 */
export const zoneCommand = noun<ZonePorts>((command, does) => {
  command.description('Zones: places with a name, whose visits analysts read.');
  example(validity(command.command('add').description('Records a circle, or its next version.')
    .argument('<zone>', 'id of the zone: a-z, 0-9, _ and -')
    .requiredOption('--circle <place>', 'LATITUDE,LONGITUDE,METERS')
    .option('--name <name>', 'name for people (default: the id)')
    .option('--kind <kind>', 'kind, such as depot')
    .option('--owner <owner>', 'whose zone it is'))
    .action(does((ports, id: string, words: AddWords) => add(ports, id, words))),
  'rastro zone add depot-1 --circle=-23.55,-46.63,250 --name "Depot north" --kind depot', DONE);
  example(validity(command.command('import')
    .description('Records the features of a GeoJSON file, those that changed: points with'
      + ' properties.radius_m, polygons with holes, multipolygons; with an id and the properties'
      + ' name, kind and owner.')
    .argument('<file>', 'a GeoJSON FeatureCollection'))
    .action(does((ports, file: string, words: ValidityWords) => importFile(ports, file, words))),
  'rastro zone import depots.geojson --valid-from 2026-01-01T00:00:00Z', DONE_OR_NONE);
  example(command.command('ls').description('The newest version of each zone.')
    .option('--all', 'also those that were removed', false)
    .action(does((ports, { all }: { readonly all: boolean }) => list(ports, all))),
  'rastro zone ls', DONE);
  example(command.command('rm').description('Ends a zone; its visits until then stay.')
    .argument('<zone>', 'id of the zone')
    .option('--valid-from <date-time>', 'from when on it is none (default: now)')
    .action(does((ports, id: string, words: ValidityWords) => remove(ports, id, words))),
  'rastro zone rm depot-1', DONE_OR_NONE);
});

function validity(command: Command): Command {
  return command
    .option('--valid-from <date-time>', 'from when on it holds (default: now)')
    .option('--valid-to <date-time>', 'until when it holds (default: the next version)');
}

/** The times of the options, or a sentence about what is wrong with them. */
function timesOf(
  { validFrom, validTo }: ValidityWords, nowMs: number,
): Pick<ZoneDraft, 'valid_from_ms' | 'valid_to_ms'> | string {
  const from = validFrom === undefined ? nowMs : epochMsOf(validFrom);
  const to = validTo === undefined ? undefined : epochMsOf(validTo);
  if (from === undefined) return '--valid-from is no date-time such as 2026-12-01T00:00:00Z.';
  if (validTo !== undefined && to === undefined) {
    return '--valid-to is no date-time such as 2026-12-01T00:00:00Z.';
  }
  if (to !== undefined && to <= from) return '--valid-to must be later than --valid-from.';
  return { valid_from_ms: from, ...(to === undefined ? {} : { valid_to_ms: to }) };
}

async function add(ports: ZonePorts, zone_id: string, words: AddWords): Promise<Report> {
  if (!ZONE_ID.test(zone_id)) return misuse('The id of a zone is 1 to 64 of a-z, 0-9, _ and -.');
  const times = timesOf(words, ports.clock.nowMs());
  if (typeof times === 'string') return misuse(times);
  const { name = zone_id, kind, owner } = words;
  const said = wordsOf({ name, kind, owner });
  if (typeof said === 'string') return misuse(`${said}.`);
  const shape = circleFrom(words.circle);
  if (typeof shape === 'string') return misuse(`--circle: ${shape}`);
  return record(ports, [{ zone_id, ...said, ...shape, ...times }], words);
}

async function importFile(
  ports: ZonePorts, file: string, words: ValidityWords,
): Promise<Report> {
  const times = timesOf(words, ports.clock.nowMs());
  if (typeof times === 'string') return misuse(times);
  const text = await ports.readFile(file);
  if (text === undefined) return notFound(`There is no file ${file}.`);
  const reading = readZonesFile(text, times);
  return reading.ok ? record(ports, reading.drafts, words) : misuse(reading.faults.join('\n'));
}

async function record(
  ports: ZonePorts, drafts: readonly ZoneDraft[], { validFrom }: ValidityWords,
): Promise<Report> {
  const known = await readZones(ports.reader);
  const atMs = ports.clock.nowMs();
  const recorded: ZoneRecorded[] = [];
  for (const draft of drafts) {
    const next = drawZone(known.get(draft.zone_id), draft, validFrom !== undefined, atMs);
    if (next === undefined) continue;
    await recordZone(ports, next);
    recorded.push(next);
  }
  const unchanged = drafts.length - recorded.length;
  const [only] = recorded;
  const said = drafts.length === 1 && only !== undefined
    ? line`${only.zone_id} is version ${only.version}, from ${at(only.valid_from_ms)} on.`
    : `${recorded.length} zones are recorded, ${unchanged} say the same already.`;
  return { value: { recorded, unchanged }, lines: [said], exitCode: 0 };
}

async function list({ reader }: ZonePorts, all: boolean): Promise<Report> {
  const zones = [...(await readZones(reader)).values()]
    .filter(({ state }) => all || state === 'active')
    .sort((a, b) => (a.zone_id < b.zone_id ? -1 : 1));
  return {
    value: { zones },
    lines: zones.length === 0 ? ['There is no zone.'] : tableOf(
      ['zone', 'version', 'state', 'from', 'to', 'shape', 'kind', 'owner', 'name'],
      zones.map((zone) => [
        zone.zone_id, String(zone.version), zone.state, at(zone.valid_from_ms),
        zone.valid_to_ms === undefined ? '' : at(zone.valid_to_ms), shapeText(zone),
        zone.kind ?? '', zone.owner ?? '', zone.name,
      ]),
    ),
    exitCode: 0,
  };
}

function shapeText({ circle, polygons = [] }: ZoneRecorded): string {
  return circle === undefined
    ? `${polygons.flat(2).length} points` : `${circle.radius_m} m`;
}

async function remove(
  ports: ZonePorts, zone_id: string, words: ValidityWords,
): Promise<Report> {
  const times = timesOf(words, ports.clock.nowMs());
  if (typeof times === 'string') return misuse(times);
  const known = (await readZones(ports.reader)).get(zone_id);
  const end = removeZone(known, times.valid_from_ms, ports.clock.nowMs());
  if (end === undefined) return notFound(`There is no zone ${zone_id}.`);
  await recordZone(ports, end);
  return {
    value: end, lines: [line`${zone_id} is none from ${at(end.valid_from_ms)} on.`], exitCode: 0,
  };
}
