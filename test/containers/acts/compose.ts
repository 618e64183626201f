import { waitFor } from '../../../infra/local/wait.ts';
import { readEnv } from '../env.ts';
import { COMPOSE, edit } from '../product.ts';
import { complaintOf, secondsSince, type Act, type ActFinding, type ContainerStage } from './act.ts';
import { bringUp } from './bring-up.ts';

/** Devices that its demonstration drives. */
export const DEVICES = 20;
const ROWS_MIN = 200;
const ROWS_MS_MAX = 120_000;

/** The compose file as it is, from nothing to rows that an analyst counts. */
export const composeUp: Act = {
  name: 'compose',
  does: 'brings the compose file up to healthy; its demonstration drives, and rows are counted',
  run: up,
  offences: [{
    name: 'the demonstration has no device',
    async seed(stage) {
      const undo = edit(stage.product, {
        file: COMPOSE, text: 'RASTRO_REPLAY_DEVICES: "20"', instead: 'RASTRO_REPLAY_DEVICES: "0"',
      });
      return async () => {
        undo();
        await stage.compose(['down', '--volumes', '--remove-orphans']);
      };
    },
    said: /0 locations of 0 devices/,
  }],
};

async function up(stage: ContainerStage): Promise<ActFinding> {
  const beganMs = performance.now();
  const { tries, complaints } = await bringUp(stage);
  if (complaints.length > 0) {
    return { seen: 'not healthy', complaints: [...complaints, ...await troublesOf(stage)] };
  }
  const healthy = `${secondsSince(beganMs)}${tries > 1 ? ` (asked ${tries} times)` : ''}`;
  const rowsBeganMs = performance.now();
  const unwell = await unhealthy(stage);
  const found = await rowsOf(stage);
  const count = `${found.rows} locations of ${found.devices} devices`;
  return {
    seen: `healthy after ${healthy}, then ${count} after ${secondsSince(rowsBeganMs)}`,
    complaints: [
      ...unwell, ...(isEnough(found) ? [] : [`${count}, not ${ROWS_MIN} of ${DEVICES}`]),
    ],
  };
}

async function unhealthy(stage: ContainerStage): Promise<readonly string[]> {
  const answers = await stage.inside<Readonly<Record<string, number>>>('health.ts', {});
  // A feed without a token is refused; where no process has the feeds, it is not found.
  return Object.entries(answers)
    .filter(([address, status]) => status !== (address.includes('/live/') ? 403 : 200))
    .map(([address, status]) => `${address} answers ${status}`);
}

/** Stored locations, and of how many devices they are. */
export interface Rows {
  readonly rows: number;
  readonly devices: number;
}

/** What an analyst counts now. */
export function countRows(stage: ContainerStage): Promise<Rows> {
  const password = readEnv(stage)['CLICKHOUSE_ANALYST_PASSWORD'] ?? '';
  return stage.inside<Rows>('count-rows.ts', { user: 'analyst', password });
}

/** What an analyst counts once it is enough, or when time is over. */
async function rowsOf(stage: ContainerStage): Promise<Rows> {
  let found: Rows = { rows: 0, devices: 0 };
  await waitFor(async () => {
    found = await countRows(stage);
    return isEnough(found);
  }, {
    what: 'The rows of the demonstration', deadlineMs: ROWS_MS_MAX, everyMs: 1_000,
  }).catch(() => undefined);
  return found;
}

function isEnough({ rows, devices }: Rows): boolean {
  return rows >= ROWS_MIN && devices === DEVICES;
}

/** What the services that are not well said last. */
export async function troublesOf(stage: ContainerStage): Promise<readonly string[]> {
  const text = await stage.compose(['ps', '--all', '--format', 'json']).catch(() => '');
  const unwell = servicesIn(text).filter(({ State, ExitCode, Health }) => (
    (State === 'exited' && ExitCode !== 0) || Health === 'unhealthy' || State === 'restarting'));
  return Promise.all(unwell.map(async ({ Service }) => {
    const logs = await stage.compose(['logs', '--no-log-prefix', '--tail', '5', Service])
      .catch((error: unknown) => complaintOf(error));
    return `${Service}: ${logs.trim().split('\n').join(' | ')}`;
  }));
}

/** A service as `docker compose ps` has it. */
export interface ServiceState {
  readonly Service: string;
  readonly Image: string;
  readonly State: string;
  readonly ExitCode: number;
  readonly Health: string;
}

/** Services of `docker compose ps --format json`: a line for each. */
export function servicesIn(text: string): readonly ServiceState[] {
  return text.split('\n').filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as ServiceState);
}
