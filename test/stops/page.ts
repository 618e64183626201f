import type { Hits, Score } from './score.ts';
import type { StopsResult, StopsRow } from './run-stops.ts';

const NONE = '–';
const GOOD = 0.9;
/** Percent. */
const ERROR_MAX = 10;

/** The scores as a page. */
export function stopsPage({ rows, parked }: StopsResult, commit: string): string {
  const simulated = rows.filter(({ isSimulated }) => isSimulated);
  const recorded = rows.filter(({ isSimulated }) => !isSimulated);
  return [
    '# Stops, trips and ways against the truth', '',
    `\`npm run stops -- --page\` at commit ${commit}. The fixes are written as the table writer does,`,
    'and `v_stops`, `v_trips` and `v_device_days` are asked ([data dictionary](../data-dictionary.md)).',
    'Beside them MovingPandas on the same fixes: stops of 300 s within 60 m, trips of 200 m between',
    'them, and the length of what lies between. It uses places alone, and was not asked where there is a',
    'fix each second, which takes it minutes. A stop or a trip is found when a found one has half of the',
    'time that either takes. Precision is the part of the found ones that were there, recall the part of',
    'those there that were found.', '',
    ...findings(simulated, recorded), '',
    '## Parked for an hour', '',
    'The truth is 0 m, 0 s and one stop. Drifting noise keeps a part of what it was: after 120 s a third.',
    '', '| Noise | Meters | Driving, s | Stops |', '|---|---|---|---|',
    ...parked.map((row) => (
      `| ${row.kind} | ${row.meters.toFixed(0)} | ${row.drivingS} | ${row.stops} |`
    )), '',
    '## Simulated drives', '',
    'One drive of 13 stops and 12 trips in a grid of streets, with corners every 150 to 600 m and halts',
    'of up to 90 s. Distance is against the odometer of the simulated vehicle.', '',
    ...table(simulated), '',
    '## Recorded drives', '',
    'Tracks of the repository, asked without their speeds and ignition. The labels come from these: a',
    'stop is 300 s with the ignition off or below 5 km/h within 200 m, a trip is the rest with less than',
    '300 s between two fixes. No track has an odometer: distance is against speed times time. With a fix',
    'a minute such labels miss what happened between two fixes, and the unit of the speeds of',
    'capmetrics in 2015 is a guess. Only the tracks of rsk-twizy have an ignition.', '',
    ...table(recorded), '',
  ].join('\n');
}

/** What was found badly, so that no one has to look for it in the tables. */
function findings(
  simulated: readonly StopsRow[], recorded: readonly StopsRow[],
): readonly string[] {
  const isShort = ({ ours }: StopsRow): boolean => (
    [precisionOf(ours.stops), recallOf(ours.stops), precisionOf(ours.trips), recallOf(ours.trips)]
      .some((value) => value !== undefined && value < GOOD)
  );
  const isOff = ({ ours }: StopsRow): boolean => Math.abs(errorOf(ours)) > ERROR_MAX;
  const groups = [false, true].flatMap((drifts) => [false, true].flatMap((speaks) => (
    [['3 m', '8 m'], ['15 m', '30 m']].map((noises) => ({
      name: `${noises.join(' and ')}${drifts ? ', drifting' : ''}, ${speaks ? 'with' : 'no'} speed`,
      rows: simulated.filter(({ kind }) => (
        noises.some((noise) => kind.startsWith(noise)) && kind.includes('drifting') === drifts
        && kind.endsWith('with speed') === speaks
      )),
    }))
  )));
  return [
    '## What the views find, from the worst row to the best', '',
    '| Drives | Stops: precision | Recall | Trips: precision | Recall | Distance |',
    '|---|---|---|---|---|---|',
    ...groups.map(({ name, rows }) => worstToBest(name, rows)), worstToBest('recorded', recorded), '',
    `Precision or recall of stops or trips below ${GOOD}:`, '',
    ...linesOf([...simulated, ...recorded].filter(isShort)), '',
    `Distance more than ${ERROR_MAX} % off. Places are not smoothed: each step of a moving device counts,`,
    'with its noise, so that dense fixes with white noise make long ways:', '',
    ...linesOf([...simulated, ...recorded].filter(isOff)),
  ];
}

function worstToBest(name: string, rows: readonly StopsRow[]): string {
  const all = rows.map(({ ours }) => ours);
  const errors = all.map(errorOf);
  const parts = [
    all.map(({ stops }) => precisionOf(stops)), all.map(({ stops }) => recallOf(stops)),
    all.map(({ trips }) => precisionOf(trips)), all.map(({ trips }) => recallOf(trips)),
  ].map(spanOf);
  return `| ${name} | ${parts.join(' | ')} `
    + `| ${percent(Math.min(...errors))} to ${percent(Math.max(...errors))} |`;
}

function linesOf(rows: readonly StopsRow[]): readonly string[] {
  return rows.length === 0 ? ['- none'] : rows.map(({ kind }) => `- ${kind}`);
}

function table(rows: readonly StopsRow[]): readonly string[] {
  return [
    '| Drives | Stops | Precision | Recall | Ends off, s | Trips | Precision | Recall | Distance '
      + '| MovingPandas, stops: precision | Recall | Trips: precision | Recall | Distance |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map(({ kind, ours, theirs }) => (
      `| ${kind} | ${ours.stops.there} | ${ratios(ours.stops)} | ${endsOf(ours.stops)} `
      + `| ${ours.trips.there} | ${ratios(ours.trips)} | ${percent(errorOf(ours))} `
      + (theirs === undefined ? '| | | | | |'
        : `| ${ratios(theirs.stops)} | ${ratios(theirs.trips)} | ${percent(errorOf(theirs))} |`)
    )),
  ];
}

function ratios(hits: Hits): string {
  return `${ratio(precisionOf(hits))} | ${ratio(recallOf(hits))}`;
}

function precisionOf({ matched, found }: Hits): number | undefined {
  return found === 0 ? undefined : matched / found;
}

function recallOf({ matched, there }: Hits): number | undefined {
  return there === 0 ? undefined : matched / there;
}

function endsOf({ matched, endsOffS }: Hits): string {
  return matched === 0 ? NONE : (endsOffS / matched / 2).toFixed(0);
}

function errorOf({ meters, truthMeters }: Score): number {
  return 100 * (meters - truthMeters) / truthMeters;
}

function spanOf(values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? NONE
    : `${ratio(Math.min(...known))} to ${ratio(Math.max(...known))}`;
}

function ratio(value: number | undefined): string {
  return value === undefined ? NONE : value.toFixed(2);
}

function percent(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(1)} %`;
}
