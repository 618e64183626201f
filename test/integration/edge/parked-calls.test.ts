import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionFacts, AdmissionReader } from '../../../services/kernel/admission.ts';
import { EDGE_TOKEN, GOOD_FACTS, locationsBody, openEdge, type Edge } from '../../support/edge.ts';

const BODY = JSON.stringify(locationsBody());
const QUIET_TOKEN = `00${'q'.repeat(43)}`;
const QUIET = { headers: { authorization: `Bearer ${QUIET_TOKEN}` } };
/** So long that nothing but a turn or an end lets a parked call go on while a test runs. */
const NARROW = { clientCallsMax: 1, activeMs: 60_000, parkedMsMax: 60_000 };
const PARKED = /rastro_http_parked_total\{.*\} 1\n/;

/** Ends the wait of each call that admission was asked about and has not answered yet. */
let waiting: (() => void)[] = [];
let edge: Edge;

/** Admission that answers the quiet client at once, and the loud one when a test says so. */
function heldAdmission(): AdmissionReader {
  let seen = 0;
  let quietHash: string | undefined;
  return {
    read: ({ tokenHash, charges }) => new Promise((resolve) => {
      if (!charges) {
        resolve(factsOf('of a head'));
        return;
      }
      seen += 1;
      if (seen === 2) quietHash = tokenHash;
      const clientId = tokenHash === quietHash ? 'quiet' : 'loud';
      const answer = (): void => { resolve(factsOf(clientId)); };
      if (seen <= 2 || clientId === 'quiet') answer();
      else waiting.push(answer);
    }),
  };
}

function factsOf(clientId: string): AdmissionFacts {
  const { caller } = GOOD_FACTS;
  return caller === undefined ? GOOD_FACTS : { ...GOOD_FACTS, caller: { ...caller, clientId } };
}

/** Posts as the loud client on a line that the test may cut. */
function postOnLine(): Socket {
  const socket = connect(edge.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write([
    'POST /shipping/rtt/georeceiver/acme/locations?country_id=BR HTTP/1.1', 'Host: edge',
    `Authorization: Bearer ${EDGE_TOKEN}`, 'Content-Type: application/json',
    `Content-Length: ${BODY.length}`, '', BODY,
  ].join('\r\n'));
  return socket;
}

beforeEach(async () => {
  waiting = [];
  edge = await openEdge({ http: NARROW, admission: heldAdmission() });
  // Each is known by its token from its first call on, and both count as calling.
  for (const wishes of [{}, QUIET, QUIET]) await (await edge.post(BODY, wishes)).text();
});
afterEach(() => edge.close());

describe('calls of a client that has many in progress', () => {
  it('wait for a slot before they are asked about or refused; others are answered', async () => {
    const both = [edge.post(BODY), edge.post(BODY)];
    await expect.poll(() => edge.metrics()).toMatch(PARKED);
    expect((await edge.post(BODY, QUIET)).status).toBe(202);
    expect(waiting).toHaveLength(1);
    waiting[0]?.();
    await expect.poll(() => waiting.length).toBe(2);
    waiting[1]?.();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([202, 202]);
    expect(edge.log.appended).toHaveLength(6);
  });

  it('end when their caller hangs up, and hold nothing then', async () => {
    const first = edge.post(BODY);
    await expect.poll(() => waiting.length).toBe(1);
    const line = postOnLine();
    await expect.poll(() => edge.metrics()).toMatch(PARKED);
    line.destroy();
    await expect.poll(() => edge.metrics()).toMatch(/code="gone"[^\n]* 1\n/);
    waiting[0]?.();
    expect((await first).status).toBe(202);
    expect(waiting).toHaveLength(1);
    expect(edge.log.appended).toHaveLength(4);
    expect(await edge.metrics()).toMatch(/rastro_http_body_bytes_held 0\n/);
  });

  it('are answered by a server that leaves', async () => {
    const both = [edge.post(BODY), edge.post(BODY)];
    await expect.poll(() => edge.metrics()).toMatch(PARKED);
    const closed = edge.close(60_000);
    waiting[0]?.();
    await expect.poll(() => waiting.length).toBe(2);
    waiting[1]?.();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([202, 202]);
    await closed;
  });
});
