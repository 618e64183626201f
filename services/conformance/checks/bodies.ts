import { gzipSync } from 'node:zlib';
import { dataAsk, startedDevice } from '../asks.ts';
import { locationsBody } from '../bodies.ts';
import { ours, verify, type Check } from '../check.ts';
import { status } from '../findings.ts';
import type { Session } from '../session.ts';
import type { Ask } from '../talk.ts';
import { REMARKS } from '../remarks.ts';

const MEBIBYTE = 1_048_576;
const GZIP = { 'content-encoding': 'gzip' };

/** What any body may contain, shown on endpoint 9. */
export const bodyChecks: readonly Check[] = [
  {
    id: 'body-json', rows: ['GEN-13', 'GEN-01', 'GEN-14', 'GEN-15'], role: 'receiver',
    title: 'No JSON, a second value, a duplicate key or a top-level m gets 400',
    level: 'must',
    run: async (session) => {
      const { ask, good } = await goodAsk(session);
      return verify(
        status(await session.send(ask), 202),
        await sendAll(session, ask, ['', '{', 'null', '[]', '"text"']),
        ours(REMARKS.form, await sendAll(session, ask, [
          `${good}{}`, good.replace('{', '{"m":{},'), good.replace('{', '{"device_id":"x",'),
        ])),
      );
    },
  },
  {
    id: 'body-media-type', rows: ['GEN-22', 'RTT-16'], role: 'receiver',
    title: 'Another content type gets 400, never 415',
    level: 'must',
    run: async (session) => {
      const { ask } = await goodAsk(session);
      const as = (type: string) => session.send({ ...ask, headers: { 'content-type': type } });
      return verify(
        ours(REMARKS.form, status(await as('text/plain'), 400),
          status(await as('application/x-www-form-urlencoded'), 400)),
        status(await as('application/json; charset=utf-8'), 202),
      );
    },
  },
  {
    id: 'body-size', rows: ['GEN-17', 'RTT-16'], role: 'receiver',
    title: 'A body of exactly 1 MiB is accepted, one byte more gets 400, never 413',
    level: 'should',
    remark: REMARKS.limit,
    run: async (session) => {
      const { ask, good } = await goodAsk(session);
      const full = good + ' '.repeat(MEBIBYTE - good.length);
      return verify(
        status(await session.send({ ...ask, body: full }), 202),
        status(await session.send({ ...ask, body: `${full} ` }), 400),
      );
    },
  },
  {
    id: 'body-depth', rows: ['GEN-21', 'GEN-32'], role: 'receiver',
    title: 'A body of depth 20 with unknown fields is accepted, depth 21 gets 400',
    level: 'should',
    remark: REMARKS.limit,
    run: async (session) => {
      const { ask, good } = await goodAsk(session);
      const deep = (depth: number) => session.send({
        ...ask,
        body: good.replace('{', `{"unknown":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)},`),
      });
      return verify(status(await deep(20), 202), status(await deep(21), 400));
    },
  },
  {
    id: 'body-gzip', rows: ['GEN-19', 'GEN-20'], role: 'receiver',
    title: 'A gzip body is accepted; a broken one, or one that unpacks over 1 MiB, gets 400',
    level: 'should',
    remark: 'Take bodies in gzip, and count the limit after unpacking.',
    run: async (session) => {
      const { ask, good } = await goodAsk(session);
      const zipped = (text: string) => new Uint8Array(gzipSync(text));
      const send = (body: Uint8Array<ArrayBuffer>) =>
        session.send({ ...ask, body, headers: GZIP });
      return verify(
        status(await send(zipped(good)), 202),
        status(await send(zipped(good).slice(0, -6)), 400),
        status(await send(zipped(good + ' '.repeat(MEBIBYTE))), 400),
      );
    },
  },
];

async function goodAsk(session: Session): Promise<{ ask: Ask; good: string }> {
  const good = JSON.stringify(locationsBody(session, await startedDevice(session)));
  return { ask: { ...dataAsk(session, 'locations', undefined), body: good }, good };
}

async function sendAll(
  session: Session, ask: Ask, bodies: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for (const body of bodies) {
    const wrong = status(await session.send({ ...ask, body }), 400);
    found.push(wrong === undefined ? undefined : `${body.slice(0, 30)}: ${wrong}`);
  }
  return found;
}
