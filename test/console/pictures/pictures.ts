import type { Page } from 'playwright-core';
import { waitFor } from '../../../infra/local/wait.ts';
import type { ClientRecorded } from '../../../services/kernel/access.ts';
import type { SentTrackFix } from '../../support/fake-device-tracks.ts';
import { anIngestMinute } from '../../support/fake-pipeline.ts';
import type { MemoryPlatform } from '../memory-platform.ts';
import { drawnOn, trackOn } from '../watched-page.ts';

/** A page that the documentation shows. */
export interface Picture {
  /** The picture is `docs/images/console-NAME.png`. */
  readonly name: string;
  /** Leads an operator that has signed in there, until all of it is drawn. */
  readonly open: (at: Page, pictured: Pictured) => Promise<void>;
}

/** Who is on the pictures. */
export interface Pictured {
  readonly url: string;
  readonly device: string;
  /** Puts the accepted items of the newest minutes there, which are others with each minute. */
  readonly fillMinutes: () => void;
}

const WAIT_MS_MAX = 100_000;
const MINUTE_MS = 60_000;
const DAY_S = 86_400;
/** Eight in the morning of the day before. */
const MORNING_S = (Math.floor(Date.now() / 1_000 / DAY_S) - 1) * DAY_S + 8 * 3_600;
const LOCATIONS = 'rtt.locations.v1';
const WRITER = 'rastro.table-writer';

/** Ends of roads, as latitude and longitude. */
const ROADS = [
  [[-23.5, -46.7], [-19.9, -44]], [[-23.5, -46.7], [-16.7, -49.2]],
  [[-23.6, -46.9], [-25.4, -49.4]],
  [[-25.5, -49.5], [-30, -51.4]], [[-19.8, -43.8], [-12.4, -39.2]],
  [[-16.6, -49.4], [-15.6, -56]],
  [[-34.6, -58.6], [-31.4, -64.2]], [[-32.9, -68.9], [-34.5, -59.2]],
  [[-15.8, -48], [-10.2, -48.4]],
] as const;
const EACH_ROAD = 11;

/** A truck with a stop, a silence and one fix that is astray. */
function truckFix(minute: number): SentTrackFix {
  const driven = Math.min(minute, 95) + Math.max(0, minute - 130);
  return {
    timestamp: MORNING_S + minute * 60, latitude: -23.5 + driven / 80 + (minute === 60 ? 0.8 : 0),
    longitude: -46.7 + driven / 130 + Math.sin(driven / 18) / 12,
    telemetry: {
      speed: minute > 95 && minute < 130 ? 0 : Math.round(62 + 22 * Math.sin(minute / 9)),
      ignition: minute <= 96 || minute >= 129, fuel_level: Math.round(82 - driven / 5),
    },
  };
}

/** Fills a platform with what the pictures show; the same whenever they are taken. */
export async function preparePictures(platform: MemoryPlatform): Promise<Pictured> {
  const client = await platform.addClient({ name: 'Swift Trucks' });
  const device = await driveFleet(platform, client);
  platform.deviceTracks.send(...Array.from({ length: 240 }, (_, minute) => minute)
    .filter((minute) => minute < 160 || minute > 185)
    .map((minute) => ({
      device, client: client.client_id, receivedAtMs: (MORNING_S + minute * 60 + 2) * 1_000,
      fixes: [truckFix(minute)],
    })));
  const { log, members } = platform.pipeline;
  log.append(LOCATIONS, 0, Array.from({ length: 600 }, (_, at) => Date.now() - (600 - at) * 100));
  log.commit(WRITER, LOCATIONS, 0, 600n);
  members.push({ group: WRITER, members: ['one', 'two'], isStable: true });
  return { url: platform.edge.url, device, fillMinutes: () => { fillMinutes(platform); } };
}

function fillMinutes({ pipeline: { minutes } }: MemoryPlatform): void {
  const thisMinuteMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  minutes.splice(0);
  for (let ago = 1; ago <= 16; ago += 1) {
    const [stored, outlier] = [Math.round(5_200 + 900 * Math.sin(ago / 2)), 40 + ago];
    minutes.push(anIngestMinute(thisMinuteMs - ago * MINUTE_MS, {
      calls: 1_000, accepted: stored + outlier, stored, outlier,
    }));
  }
}

async function driveFleet(platform: MemoryPlatform, client: ClientRecorded): Promise<string> {
  let device = '';
  for (const [road, [[south, west], [north, east]]] of ROADS.entries()) {
    for (let nth = 0; nth < EACH_ROAD; nth += 1) {
      device = await platform.addDevice(client);
      const part = (nth + 0.4 * Math.sin(road + nth * 5)) / (EACH_ROAD - 1);
      const bend = Math.sin(part * Math.PI * 2 + road) / 4;
      const age = (road * EACH_ROAD + nth) % 13;
      platform.move({
        client, device, latitude: south + (north - south) * part + bend,
        longitude: west + (east - west) * part + bend / 2,
        ageSeconds: age === 0 ? 900 : age === 7 ? 7_200 : age,
      });
    }
  }
  return device;
}

function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  return waitFor(holds, { what, deadlineMs: WAIT_MS_MAX });
}

/** The pictures of the documentation. */
export const PICTURES: readonly Picture[] = [
  {
    name: 'fleet',
    async open(at) {
      await at.getByText(`${ROADS.length * EACH_ROAD} devices`).waitFor();
      await eventually('All devices', async () => (
        (await drawnOn(at)).length === ROADS.length * EACH_ROAD));
    },
  },
  {
    name: 'device',
    async open(at, { url, device }) {
      await at.goto(`${url}/console/#/device/${device}`);
      await at.getByText('No fix on this day').waitFor();
      await at.getByRole('button', { name: 'Day before' }).click();
      await at.getByRole('region', { name: 'Odd fixes' }).getByText('Jump').first().waitFor();
      await eventually('The track', async () => {
        const layers = (await trackOn(at)).map(({ layer }) => layer);
        return ['track', 'gaps', 'odd', 'cursor'].every((each) => layers.includes(each));
      });
    },
  },
  {
    name: 'pipeline',
    async open(at) {
      await at.getByRole('link', { name: 'Pipeline' }).press('Enter');
      await at.getByText('As of').waitFor();
      await at.getByRole('row').filter({ hasText: 'table-writer' }).first().waitFor();
    },
  },
];
