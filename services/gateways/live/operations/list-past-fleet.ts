import type {
  PastFleet as PastFleetBody, PastPosition, PlatformPastFleet, PlatformPastPosition,
} from '../../../../schemas/generated/types.ts';
import type { AdmittedCaller } from '../../../kernel/admission.ts';
import type { Pause } from '../../../kernel/clock.ts';
import { countryCodeOf } from '../../../kernel/countries.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { ClientId } from '../../../kernel/ids.ts';
import {
  PAST_DAYS_MAX, type PastFix, type PastFleet, type PastFleetPage,
} from '../../../kernel/past-fleet.ts';
import { defineOperation } from '../../common/catalog.ts';
import { badCursor, badFilter, badParameter, missingParameter } from '../../common/page.ts';
import type { PositionView } from '../../common/position-resource.ts';
import { problemErrors } from '../../common/problem.ts';
import { boxFault, readBox, readParts, writeParts } from '../../common/read-page.ts';
import { badTime, readTime } from '../../common/time-range.ts';
import { createTenantReads, type TenantReads } from '../../common/tenant-slots.ts';

/** What listing a fleet of the past needs from outside. */
export interface PastFleetPorts extends PositionView {
  readonly pastFleet: PastFleet;
  readonly pause: Pause;
}

interface ListPorts extends PastFleetPorts {
  readonly readInSlot: TenantReads;
}

interface PastCall {
  readonly caller: AdmittedCaller;
  readonly query: Readonly<Record<string, string>>;
}

/** Positions of a page, unless the caller asks for another number; and the most it may ask for. */
const PAGE = { usual: 1_000, max: 10_000 } as const;
const LIMIT = /^[1-9]\d{0,4}$/;
const DEVICE = /^[^\p{Cc}]{1,255}$/u;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** `GET …/live/fleet?at=`: where devices of the caller, or of all clients, were at a minute. */
export function listPastFleet(open: PastFleetPorts): readonly Operation[] {
  // A page reads the fixes of all clients.
  const ports = { ...open, readInSlot: createTenantReads('pages', open.pause) };
  return [
    defineOperation('list-past-fleet', {
      errors: problemErrors,
      handle: (call) => list(ports, call, call.caller.clientId, positionOf),
    }),
    defineOperation('list-platform-past-fleet', {
      errors: problemErrors,
      handle: async (call) => badFilter(call.query, ['provider'])
        ?? await list(ports, call, undefined, platformPositionOf),
    }),
  ];
}

async function list(
  ports: ListPorts, { caller, query }: PastCall, clientId: ClientId | undefined,
  show: (fix: PastFix, minuteMs: number, view: PositionView) => PastPosition | PlatformPastPosition,
): Promise<Answer> {
  const { bbox, cursor } = query;
  const atMs = readMoment(query, ports.clock.nowMs());
  if (typeof atMs !== 'number') return atMs;
  const box = bbox === undefined ? undefined : readBox(bbox);
  if (bbox !== undefined && box === undefined) return badParameter('bbox', boxFault(bbox));
  const limit = readSize(query['limit']);
  if (limit === undefined) {
    return badParameter('limit', `limit must be a number from 1 to ${PAGE.max}.`);
  }
  const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
  const after = cursor === undefined ? undefined : readAfter(cursor, minuteMs);
  if (cursor !== undefined && after === undefined) return badCursor();
  return ports.readInSlot(caller.userId, async () => {
    const page = await ports.pastFleet.find({
      atMs: minuteMs, clientId, box, after, limit,
      provider: clientId === undefined ? query['provider'] : undefined,
    });
    const body = bodyOf(page, minuteMs, (fix) => show(fix, minuteMs, ports));
    return { kind: 'answer', status: 200, body };
  });
}

function bodyOf(
  { fixes, next }: PastFleetPage, minuteMs: number,
  show: (fix: PastFix) => PastPosition | PlatformPastPosition,
): PastFleetBody | PlatformPastFleet {
  return {
    at: new Date(minuteMs).toISOString(),
    positions: fixes.map(show) as PlatformPastPosition[],
    ...(next === undefined ? {} : { next_cursor: writeParts([minuteMs, next]) }),
    has_more: next !== undefined,
  };
}

/** Reads `at`, milliseconds since epoch, or says why it cannot be answered. */
function readMoment(query: Readonly<Record<string, string>>, nowMs: number): number | Answer {
  const { at } = query;
  if (at === undefined) {
    return missingParameter('at', 'The parameter at is mandatory: a time such as 2025-11-24T16:00:00Z', query);
  }
  const atMs = readTime(at);
  if (atMs === undefined) return badTime('at');
  if (atMs > nowMs) return badParameter('at', 'at must not be after now.');
  if (nowMs - atMs > PAST_DAYS_MAX * DAY_MS) {
    return badParameter('at', `at must be at most ${PAST_DAYS_MAX} days ago.`);
  }
  return atMs;
}

function readSize(text: string | undefined): number | undefined {
  if (text === undefined) return PAGE.usual;
  return LIMIT.test(text) && Number(text) <= PAGE.max ? Number(text) : undefined;
}

/** The device at which the page before ended, if it was a page of the same minute. */
function readAfter(cursor: string, minuteMs: number): string | undefined {
  const [minute, device = ''] = readParts(cursor, 2) ?? [];
  return minute === String(minuteMs) && DEVICE.test(device) ? device : undefined;
}

function positionOf(fix: PastFix, minuteMs: number, { countries }: PositionView): PastPosition {
  const { device_id, timestamp, latitude, longitude, country_id, provider } = fix;
  const country_code = countryCodeOf(countries, country_id) ?? country_id.toUpperCase();
  return {
    device_id, timestamp, latitude, longitude, country_id, country_code, provider,
    age_seconds: (minuteMs + MINUTE_MS) / 1_000 - timestamp,
  };
}

function platformPositionOf(
  fix: PastFix, minuteMs: number, view: PositionView,
): PlatformPastPosition {
  return { ...positionOf(fix, minuteMs, view), client_id: fix.client_id };
}
