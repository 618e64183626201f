import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { OF_NO_PROCESS, workerEnv } from '../../faults/cluster/process-env.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';

/** Values for the names in capitals and the example ids on the pages. */
export interface Facts {
  readonly client: string;
  readonly device: string;
  readonly shipment: string;
  readonly provider: string;
  /** A party that was made for the trial, because it is changed and disabled. */
  readonly party: string;
}

/** How one command of a page is tried. */
interface Trial {
  /** What is said instead of the words of the page, where these name what is not here. */
  readonly as?: (facts: Facts) => string;
  /** Exit codes that the page or the help gives a meaning; the first is the usual one. */
  readonly codes: readonly number[];
}

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const CALL_MS_MAX = 120_000;
/** Ids that do not exist: a command with one is understood, and refused with a sentence. */
const STRANGER = '01a200ed-0000-7000-8000-000000000000';
const FINE: Trial = { codes: [0] };
/** While calls come, a device, a shipment or the state may just differ from the log. */
const UNDER_LOAD: Trial = { codes: [0, 1] };
const refused = (command: string): Trial => ({ as: () => command, codes: [3] });
const ofStranger = (before: string, after = ''): Trial =>
  ({ as: () => `${before} ${STRANGER}${after}`, codes: [0] });

/** Every command of the pages; one that is missing here makes the act red. */
const TRIALS: Readonly<Record<string, Trial | 'by scale' | 'by restore' | 'by tables-lost'>> = {
  'npm run topics': FINE,
  'rastro lag': FINE,
  'rastro lag --json': FINE,
  'rastro lag --partitions': FINE,
  'rastro lag --max-seconds 60': UNDER_LOAD,
  'rastro topics': FINE,
  'rastro dlq ls': FINE,
  'rastro dlq replay --all --dry-run': FINE,
  'rastro hot-keys': UNDER_LOAD,
  'rastro hot-keys --top 5': UNDER_LOAD,
  'rastro hot-keys --top 3': UNDER_LOAD,
  'rastro rebuild redis --dry-run': UNDER_LOAD,
  'rastro rebuild clickhouse --dry-run': UNDER_LOAD,
  'rastro rebuild clickhouse': 'by restore',
  'rastro backup': 'by tables-lost',
  'rastro backup --full': 'by tables-lost',
  'rastro restore': 'by tables-lost',
  'rastro restore 2026-11-23.1 --replace --reason TICKET': 'by tables-lost',
  'rastro verify': 'by tables-lost',
  'rastro capacity --devices 100000 --period 10': FINE,
  'rastro authorization list --state parked': FINE,
  'rastro authorization show ID': refused(`rastro authorization show ${STRANGER}`),
  'rastro authorization retry ID': refused(`rastro authorization retry ${STRANGER}`),
  'rastro command list --provider PROVIDER': {
    as: ({ provider }) => `rastro command list --provider ${provider}`, codes: [0],
  },
  'rastro command list --state sending': FINE,
  'rastro command cancel ID --reason TICKET':
    refused(`rastro command cancel ${STRANGER} --reason TICKET`),
  'rastro webhook list': FINE,
  'rastro webhook parked': FINE,
  'rastro webhook show WEBHOOK': refused('rastro webhook show w-000000000000'),
  'rastro webhook resume WEBHOOK': refused('rastro webhook resume w-000000000000'),
  'rastro webhook skip WEBHOOK RECORD --reason TICKET':
    refused('rastro webhook skip w-000000000000 x:0:0 --reason TICKET'),
  'rastro webhook remove WEBHOOK --reason TICKET':
    refused('rastro webhook remove w-000000000000 --reason TICKET'),
  'rastro party list': FINE,
  'rastro party set PARTY --auth static': {
    as: ({ party }) => `rastro party set ${party} --auth static`, codes: [0],
  },
  'rastro party disable PARTY': {
    as: ({ party }) => `rastro party disable ${party}`, codes: [0],
  },
  'rastro client show CLIENT': {
    as: ({ client }) => `rastro client show ${client}`, codes: [0],
  },
  'rastro device DEVICE': { as: ({ device }) => `rastro device ${device}`, ...UNDER_LOAD },
  'rastro shipment NUMBER --entries 5': {
    as: ({ shipment }) => `rastro shipment ${shipment} --entries 5`, ...UNDER_LOAD,
  },
  'rastro shipment NUMBER': {
    as: ({ shipment }) => `rastro shipment ${shipment}`, ...UNDER_LOAD,
  },
  'rastro shipment reassign NUMBER --to CLIENT --reason TICKET':
    refused(`rastro shipment reassign ${STRANGER} --to ${STRANGER} --reason rehearsed`),
  'rastro client refusals CLIENT': {
    as: ({ client }) => `rastro client refusals ${client}`, codes: [0],
  },
  'rastro audit': FINE,
  'rastro client set CLIENT --tracking-numbers BEGINNING': {
    as: ({ client }) => `rastro client set ${client} --tracking-numbers REHEARSED`, codes: [0],
  },
  'rastro codes ls': FINE,
  'rastro codes import FILE': {
    as: () => 'rastro codes import schemas/data/notification-codes.sample.json', codes: [0],
  },
  'rastro codes show --of N --json': { as: () => 'rastro codes show --of 1 --json', codes: [0] },
  'rastro client add --name Platform --platform': FINE,
  // No overflow topic is read here, so a device that sends must stay out.
  'rastro overflow add DEVICE': ofStranger('rastro overflow add'),
  'rastro overflow add DEVICE --reason floods':
    ofStranger('rastro overflow add', ' --reason floods'),
  'rastro overflow rm DEVICE': ofStranger('rastro overflow rm'),
  'rastro overflow add --provider PROVIDER --for 2h':
    { as: () => 'rastro overflow add --provider stranger --for 2h', codes: [0] },
  'rastro overflow rm --provider PROVIDER --for 2h': {
    as: ({ provider }) => `rastro overflow rm --provider ${provider} --for 2h`, codes: [0],
  },
  'rastro overflow rm --provider PROVIDER --for 1m':
    { as: () => 'rastro overflow rm --provider stranger --for 1m', codes: [0] },
  'rastro overflow ls': FINE,
  'rastro overflow ls --all': FINE,
  // Nothing is ever worked off while calls come.
  'rastro drain --group rastro.': {
    as: () => 'rastro drain --group rastro. --max-seconds 5', ...UNDER_LOAD,
  },
  'rastro drain --group rastro. --until-lag 2000 --max-seconds 20': FINE,
  // Writers leave by it there; here it would end a process that the checker needs.
  'rastro drain --pid PID --max-seconds 30': 'by scale',
};

/** Whether this file says how a command of a page is tried. */
export function isTried(instruction: string): boolean {
  return generic(instruction) in TRIALS;
}

/**
 * The exit code of a command, or undefined where another act tries it. Throws when it ends with a
 * code that its page gives no meaning, when it crashes, or when this file does not say how to try
 * it.
 */
export async function tryCommand(
  cluster: TestCluster, instruction: string, facts: Facts,
): Promise<number | undefined> {
  const trial = TRIALS[generic(instruction)];
  if (trial === undefined) throw new Error(`${generic(instruction)} is not tried: see commands.ts.`);
  if (typeof trial === 'string') return undefined;
  const words = (trial.as?.(facts) ?? instruction).split(' ');
  const { code, output } = await call(cluster, programOf(words));
  const isCrash = /^\s+at .*\(?(file:|node:)/m.test(output);
  if (!trial.codes.includes(code) || isCrash) {
    throw new Error(`${words.join(' ')} ended with ${code}, not ${trial.codes.join(' or ')}: ${
      output.trim().slice(-300)}`);
  }
  return code;
}

/** Replaces ids of an example by what they name. */
function generic(instruction: string): string {
  return instruction.replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/, 'DEVICE')
    .replace(/\b\d{15}\b/, 'CLIENT').replace(/\bRS[0-9A-Z]{20,}\b/, 'NUMBER')
    .replace(/--pid \d+/, '--pid PID');
}

function programOf(words: readonly string[]): readonly string[] {
  if (words[0] === 'npm') return [join(ROOT_DIR, 'scripts', 'topics.ts'), '--replicas', '1'];
  return [join(ROOT_DIR, 'services', 'cli', 'main.ts'), ...words.slice(1)];
}

/** Runs a program as an operator of the local stack would; resolves however it ends. */
function call(
  { env, secrets, addresses, dir }: TestCluster, args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  const isParty = args.includes('party');
  return new Promise((done) => {
    execFile(process.execPath, args, {
      cwd: dir, timeout: CALL_MS_MAX,
      env: {
        ...env, ...workerEnv(secrets), ...OF_NO_PROCESS,
        PATH: process.env['PATH'],
        RASTRO_SECRET_PEPPER: secrets.secretPepper,
        CLICKHOUSE_USER: addresses.clickhouse_user,
        CLICKHOUSE_PASSWORD: addresses.clickhouse_password,
        ...(isParty ? { RASTRO_PARTY_SECRET: secrets.partyToken } : {}),
      },
    }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      done({ code: typeof code === 'number' ? code : -1, output: `${stdout}${stderr}` });
    });
  });
}
