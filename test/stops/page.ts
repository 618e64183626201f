import type { ParkedRow, StopsRow } from './run-stops.ts';

/** The scores as a page. */
export function stopsPage(
  rows: readonly StopsRow[], parked: readonly ParkedRow[], commit: string,
): string {
  return [
    '# Stops and ways against the truth', '',
    `\`npm run stops -- --page\` at commit ${commit}. The rules are those of days and stops in`,
    'the [data dictionary](../data-dictionary.md); a test holds the tables to the same walk. Beside them',
    'MovingPandas on the same fixes: stops of 300 s within 60 m, and the length of what lies between. It',
    'uses places alone, and was not asked where there is a fix each second, which takes it minutes.',
    'A stop counts as found when a found one has half of the time that either takes.', '',
    '## Parked for an hour, accuracy 10 m', '',
    '| Noise | Meters | Driving, s | Stops |', '|---|---|---|---|',
    ...parked.map((row) => (
      `| ${row.kind} | ${row.meters.toFixed(0)} | ${row.drivingS} | ${row.stops} |`
    )), '',
    '## Drives', '',
    'Simulated: a drive of 13 stops in a grid of streets, with corners every 150 to 600 m and halts',
    'of up to 90 s; white noise, without accuracy. Recorded: tracks of the repository without their',
    'speeds; the labels come from these: a stop is 300 s below 5 km/h within 200 m, meters are speed times',
    'time. With a fix a minute such labels miss what happened between two fixes.', '',
    '| Drives | Stops | Precision | Recall | Distance | Ends off, s '
      + '| MovingPandas: precision | Recall | Distance |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map(({ kind, stops, ours, theirs }) => (
      `| ${kind} | ${stops} | ${ours.precision.toFixed(2)} | ${ours.recall.toFixed(2)} `
      + `| ${percent(ours.distanceError)} | ${ours.endsOffS.toFixed(0)} `
      + (theirs === undefined ? '| | | |'
        : `| ${theirs.precision.toFixed(2)} | ${theirs.recall.toFixed(2)} `
          + `| ${percent(theirs.distanceError)} |`)
    )), '',
  ].join('\n');
}

function percent(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(1)} %`;
}
