import { example, numberFrom, repeated, wholeFrom } from '../../adapters/command-line/command-line.ts';
import { DONE, DONE_OR_NONE, misuse, notFound, noun } from '../noun.ts';
import type { Report } from '../ports.ts';
import { scratchOf, userXml, type KnownAnalyst } from './user-xml.ts';
import { visibleViews, type StoredView } from './visible-views.ts';

/** What the commands about analysts take. */
export interface AnalystPorts {
  /** The files of users that the store reads. */
  readonly users: {
    list(): Promise<readonly KnownAnalyst[]>;
    write(name: string, xml: string): Promise<void>;
    remove(name: string): Promise<boolean>;
  };
  readonly store: {
    readonly database: string;
    views(): Promise<readonly StoredView[]>;
    createDatabase(name: string): Promise<void>;
    dropDatabase(name: string): Promise<void>;
    /** Bytes of each database on the disk. */
    bytes(): Promise<ReadonlyMap<string, number>>;
    /** Waits until a login works, or answers false. */
    canLogIn(name: string, password: string): Promise<boolean>;
  };
  readonly newPassword: () => string;
  readonly digest: (text: string) => string;
  /** Writes a new file that its owner alone may read; throws when there is one. */
  readonly writePrivate: (file: string, text: string) => Promise<void>;
  readonly nowMs: () => number;
}

interface AddWords {
  readonly provider?: readonly string[];
  readonly client?: readonly string[];
  readonly scratchGb: number;
  readonly rowsPerHour: number;
  readonly secondsPerHour: number;
  readonly passwordFile: string;
}

const NAME = /^[a-z][a-z0-9_]{1,30}$/;
const TAKEN = ['default', 'admin', 'ingest', 'analyst', 'history', 'backup'];
const GIGABYTE = 1e9;
const [ROWS_PER_HOUR, SECONDS_PER_HOUR, SCRATCH_GB] = [100_000_000_000, 7_200, 20];

/** `rastro analyst add | ls | rm`: a login for an analyst or a team, with a place to work. */
export const analystCommand = noun<AnalystPorts>((command, does) => {
  command.description('Logins of analysts and teams, each with its own quota and scratch database.');
  example(command.command('add')
    .description('Adds a login, its quota and its database scratch_NAME.')
    .argument('<name>', 'a to z, 0 to 9 and _')
    .requiredOption('--password-file <file>', 'new file for the password')
    .option('--provider <name>', 'only rows of this provider', repeated)
    .option('--client <id>', 'only rows that this client sent', repeated)
    .option('--scratch-gb <gb>', 'gigabytes it may write a day', numberFrom(0.001, 10_000), SCRATCH_GB)
    .option('--rows-per-hour <rows>', 'rows it may read', wholeFrom(1, 10 ** 13), ROWS_PER_HOUR)
    .option('--seconds-per-hour <s>', 'seconds its queries may take', wholeFrom(1, 10 ** 6), SECONDS_PER_HOUR)
    .action(does((ports, name: string, words: AddWords) => add(ports, name, words))),
  'rastro analyst add lena --provider acme --password-file lena.password', DONE);
  example(command.command('ls').description('Logins, what they see, and what they keep.')
    .action(does(list)), 'rastro analyst ls', DONE);
  example(command.command('rm').description('Takes a login away.')
    .argument('<name>', 'of the login')
    .option('--drop-scratch', 'and everything in its database', false)
    .action(does((ports, name: string, { dropScratch }: { readonly dropScratch: boolean }) => (
      remove(ports, name, dropScratch)
    ))), 'rastro analyst rm lena --drop-scratch --reason TICKET',
  DONE_OR_NONE);
});

async function add(ports: AnalystPorts, name: string, words: AddWords): Promise<Report> {
  const { users, store } = ports;
  if (!NAME.test(name) || TAKEN.includes(name)) {
    return misuse(`${name} is no name for an analyst: 2 to 31 of a to z, 0 to 9 and _, and none of `
      + `${TAKEN.join(', ')}.`);
  }
  if ((await users.list()).some((each) => each.name === name)) {
    return misuse(`There is an analyst ${name} already: rastro analyst rm ${name} first.`);
  }
  const password = ports.newPassword();
  const analyst = {
    name, providers: words.provider ?? [], clients: words.client ?? [],
    passwordSha256: ports.digest(password),
    scratchBytesPerDay: Math.round(words.scratchGb * GIGABYTE),
    rowsPerHour: words.rowsPerHour, secondsPerHour: words.secondsPerHour,
    addedAt: new Date(ports.nowMs()).toISOString(),
  };
  const views = visibleViews(analyst, await store.views());
  await ports.writePrivate(words.passwordFile, `${password}\n`);
  await store.createDatabase(scratchOf(name));
  await users.write(name, userXml(analyst, store.database, views));
  const works = await store.canLogIn(name, password);
  return {
    value: { name, scratch: scratchOf(name), views: views.map(({ view }) => view), works },
    lines: [
      `${name} sees ${views.length} views and may write into ${scratchOf(name)}; its password is in `
      + `${words.passwordFile}.`,
      ...(works ? [] : ['The store does not know it yet: see that it reads the folder of users.']),
    ],
    exitCode: works ? 0 : 1,
  };
}

async function list({ users, store }: AnalystPorts): Promise<Report> {
  const bytes = await store.bytes();
  const known = (await users.list()).map((each) => (
    { ...each, scratch: scratchOf(each.name), scratchBytes: bytes.get(scratchOf(each.name)) ?? 0 }
  ));
  return {
    value: { analysts: known },
    lines: known.length === 0 ? ['There is none.'] : known.map((each) => {
      const { name, providers, clients, scratchBytes, scratch } = each;
      const only = [...providers, ...clients].join(', ');
      return `${name}: ${only === '' ? 'all rows' : `rows of ${only}`}, ${scratchBytes} bytes in ${scratch}`;
    }),
    exitCode: 0,
  };
}

async function remove(
  { users, store }: AnalystPorts, name: string, dropScratch: boolean,
): Promise<Report> {
  if (!NAME.test(name) || TAKEN.includes(name)) return misuse(`${name} is no analyst.`);
  // First the database: a local store starts again for its users.
  if (dropScratch) await store.dropDatabase(scratchOf(name));
  const isRemoved = await users.remove(name);
  const kept = dropScratch ? 'is dropped' : 'is kept';
  return isRemoved
    ? { value: { removed: name, dropScratch }, lines: [`${name} is gone; ${scratchOf(name)} ${kept}.`], exitCode: 0 }
    : notFound(`There is no analyst ${name}.`);
}
