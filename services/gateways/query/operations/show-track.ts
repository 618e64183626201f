import { PAST_DAYS_MAX } from '../../../kernel/past-fleet.ts';
import type { Clock, Pause } from '../../../kernel/clock.ts';
import type { DeviceTracks } from '../../../kernel/device-tracks.ts';
import type { AdmittedCaller } from '../../../kernel/admission.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { ClientId, DeviceId } from '../../../kernel/ids.ts';
import { defineOperation } from '../../common/catalog.ts';
import { badParameter } from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import { noSuchDevice } from '../../common/refusals.ts';
import { createTenantReads, type TenantReads } from '../../common/tenant-slots.ts';
import { badTime, readTime } from '../../common/time-range.ts';
import { trackResource, type TrackTime } from '../track-resource.ts';

/** What showing the way of a device needs from outside. */
export interface TrackPorts {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly deviceTracks: DeviceTracks;
  /** True for a device of the client; for the platform, of any. */
  isKnown(clientId: ClientId, deviceId: DeviceId): Promise<boolean>;
}

type Query = Readonly<Record<string, string | undefined>>;

interface TrackCall {
  readonly caller: AdmittedCaller;
  readonly params: { readonly device_id: DeviceId };
  readonly query: Query;
}

/** Fixes of an answer, unless the caller asks for another number; and the most it may ask for. */
const FIXES = { usual: 2_000, max: 5_000 } as const;
const LIMIT = /^[1-9]\d{0,3}$/;
const DAY_MS = 86_400_000;

/**
 * `GET …/devices/{device_id}/track`: which way a device took in at most a day, of the caller or for
 * the platform of any client.
 */
export function showTrack(
  id: 'show-device-track' | 'show-platform-track', ports: TrackPorts,
): Operation {
  // A track can be longer than all pages of a fleet.
  const readInSlot = createTenantReads('tracks', ports.pause);
  return defineOperation(id, {
    errors: problemErrors,
    async handle({ caller, params, query }) {
      const owner = id === 'show-platform-track' ? undefined : caller.clientId;
      return show(ports, { caller, params, query }, owner, readInSlot);
    },
  });
}

async function show(
  ports: TrackPorts, { caller, params, query }: TrackCall, clientId: ClientId | undefined,
  readInSlot: TenantReads,
): Promise<Answer> {
  const time = readTrackTime(query, ports.clock.nowMs());
  if ('kind' in time) return time;
  const limit = readFixes(query['limit']);
  if (limit === undefined) {
    return badParameter('limit', `limit must be a number from 1 to ${FIXES.max}.`);
  }
  const deviceId = params.device_id;
  if (!await ports.isKnown(caller.clientId, deviceId)) return noSuchDeviceFor(clientId);
  return readInSlot(caller.userId, async () => {
    const track = await ports.deviceTracks.find({ deviceId, clientId, ...time, limit });
    return { kind: 'answer', status: 200, body: trackResource(deviceId, time, track) };
  });
}

function noSuchDeviceFor(clientId: ClientId | undefined): Answer {
  return clientId === undefined
    ? { kind: 'refusal', code: 'device_not_found', detail: 'There is no such device.' }
    : noSuchDevice();
}

/** Reads the time in whole seconds, as fixes have it: the day before now, unless it says more. */
function readTrackTime(query: Query, nowMs: number): TrackTime | Answer {
  const until = query['until'] === undefined ? nowMs : readTime(query['until']);
  if (until === undefined) return badTime('until');
  // Fixes are a day ahead at most: later ones are in no track.
  if (until > nowMs + DAY_MS) {
    return badParameter('until', 'until must be at most a day after now.');
  }
  const since = query['since'] === undefined ? until - DAY_MS : readTime(query['since']);
  if (since === undefined) return badTime('since');
  if (since >= until) return badParameter('since', 'since must be before until.');
  if (until - since > DAY_MS) {
    return badParameter('since', 'since must be at most 24 hours before until.');
  }
  if (nowMs - since > PAST_DAYS_MAX * DAY_MS) {
    return badParameter('since', `since must be at most ${PAST_DAYS_MAX} days ago.`);
  }
  return { sinceSeconds: Math.ceil(since / 1_000), untilSeconds: Math.ceil(until / 1_000) };
}

function readFixes(text: string | undefined): number | undefined {
  if (text === undefined) return FIXES.usual;
  return LIMIT.test(text) && Number(text) <= FIXES.max ? Number(text) : undefined;
}
