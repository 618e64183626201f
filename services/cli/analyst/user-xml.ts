/** An analyst or a team: who logs in, what of it is seen, and how much may be asked and kept. */
export interface Analyst {
  readonly name: string;
  /** Only rows of these providers; all when empty. */
  readonly providers: readonly string[];
  /** Only rows that these clients sent; all when empty. */
  readonly clients: readonly string[];
  /** Hexadecimal. */
  readonly passwordSha256: string;
  /** Bytes that may be written into the scratch database in a day. */
  readonly scratchBytesPerDay: number;
  readonly rowsPerHour: number;
  readonly secondsPerHour: number;
  readonly addedAt: string;
}

/** What an analyst may read: a view, and which of its rows. */
export interface VisibleView {
  readonly view: string;
  /** A condition of SQL; absent for all rows. */
  readonly filter?: string;
}

/** What is known of an analyst without asking the store: everything but the hash. */
export type KnownAnalyst = Omit<Analyst, 'passwordSha256'>;

const KNOWN = /<!-- rastro (\{.*\}) -->/;
/** Only engines that keep their rows here: others would reach files and networks. */
const ENGINES = [
  'MergeTree', 'ReplacingMergeTree', 'SummingMergeTree', 'AggregatingMergeTree', 'Memory',
];
const RIGHTS = 'SELECT, INSERT, ALTER, CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW, TRUNCATE, SHOW';

/** The scratch database of an analyst. */
export function scratchOf(name: string): string {
  return `scratch_${name}`;
}

/**
 * The file of one user for the folder `users.d` of a ClickHouse server. Limits are those of the
 * profile `analyst` of the deployment; the user may write, into its own database alone.
 */
export function userXml(
  analyst: Analyst, database: string, views: readonly VisibleView[],
): string {
  const { passwordSha256, ...known } = analyst;
  const { name, rowsPerHour, secondsPerHour, scratchBytesPerDay } = analyst;
  const own = `analyst_${name}`;
  const grants = [
    ...views.map(({ view }) => `SELECT, SHOW ON ${database}.${view}`),
    `${RIGHTS} ON ${scratchOf(name)}.*`,
    ...ENGINES.map((engine) => `TABLE ENGINE ON ${engine}`),
  ];
  const filters = views.flatMap(({ view, filter }) => (
    filter === undefined ? [] : [`<${view}><filter>${escaped(filter)}</filter></${view}>`]
  ));
  return `<!-- rastro ${JSON.stringify(known).replaceAll('--', '-\\u002d')} -->
<clickhouse>
  <profiles><${own}><profile>analyst</profile><readonly>0</readonly></${own}></profiles>
  <quotas><${own}>
    <interval>
      <duration>3600</duration>
      <read_rows>${rowsPerHour}</read_rows>
      <execution_time>${secondsPerHour}</execution_time>
    </interval>
    <interval><duration>86400</duration><written_bytes>${scratchBytesPerDay}</written_bytes></interval>
  </${own}></quotas>
  <users><${name}>
    <password_sha256_hex>${passwordSha256}</password_sha256_hex>
    <networks><ip>::/0</ip></networks>
    <profile>${own}</profile>
    <quota>${own}</quota>
    <default_database>${database}</default_database>
    <grants>
${grants.map((grant) => `      <query>GRANT ${grant}</query>`).join('\n')}
    </grants>
    <databases>${filters.length === 0 ? '' : `<${database}>${filters.join('')}</${database}>`}</databases>
  </${name}></users>
</clickhouse>
`;
}

/** What the first line of a user's file says; undefined for a file that is none of ours. */
export function readUserXml(text: string): KnownAnalyst | undefined {
  const [, known] = KNOWN.exec(text) ?? [];
  return known === undefined ? undefined : JSON.parse(known) as KnownAnalyst;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
