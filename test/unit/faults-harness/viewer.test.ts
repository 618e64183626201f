import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ViewLine } from '../../faults/run-files.ts';
import { startViewer, type ViewerWishes } from '../../faults/workload/viewer.ts';
import { eventsIn } from '../../faults/workload/sse-events.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

/** A server that answers each call in its own way; the last way is kept. */
async function serve(...ways: readonly ((response: ServerResponse) => void)[]) {
  const calls: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    calls.push(headers);
    (ways[calls.length - 1] ?? ways.at(-1))?.(response);
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  endings.push(() => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  }));
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function follow(copies: ViewerWishes['copies'], more: Partial<ViewerWishes> = {}): ViewLine[] {
  const lines: ViewLine[] = [];
  const viewer = startViewer({
    name: 'map', feed: 'fixes', owner: null, path: '/feed', token: 't', copies, ...more,
  }, {
    write: (line) => { lines.push(line); },
    flushed: () => Promise.resolve(), close: () => Promise.resolve(),
  });
  endings.push(() => viewer.close());
  return lines;
}

const says = (...texts: readonly string[]) => (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const text of texts) response.write(text);
};
const eventsOf = (lines: readonly ViewLine[]): readonly string[] => lines.map(({ event }) => event);

describe('a viewer of a live feed', () => {
  it('goes on at the next copy behind the last event that it has whole', async () => {
    const one = await serve((response) => {
      says('id: 7\nevent: positions\ndata: {"a":1}\n\n', 'id: 8\nevent: mark\nda')(response);
      setTimeout(() => response.destroy(), 20);
    });
    const other = await serve(says('id: 9\nevent: mark\ndata: {}\n\n'));
    const lines = follow([{ name: 'one', url: one.url }, { name: 'other', url: other.url }]);
    await vi.waitFor(() => { expect(lines.at(-1)?.event).toBe('mark'); }, 10_000);
    expect(lines.map(({ gateway, event }) => `${gateway} ${event}`)).toEqual([
      'one answer', 'one positions', 'one end', 'other answer', 'other mark',
    ]);
    expect(lines[0]?.begins).toBe(true);
    expect(lines[1]?.data).toEqual({ a: 1 });
    expect(lines[3]?.begins).toBeUndefined();
    const ids = [one, other].map(({ calls }) => calls[0]?.['last-event-id']);
    expect(ids).toEqual([undefined, '7']);
  });

  it('keeps its id over an event without one, and gives it up where it is taken back', async () => {
    const { calls, url } = await serve(
      (response) => {
        says('id: 7\nevent: mark\ndata: {}\n\n', 'event: reset\ndata: {}\n\n')(response);
        response.end();
      },
      (response) => {
        says('id: \nevent: reset\ndata: {}\n\n')(response);
        response.end();
      },
      says('event: mark\ndata: {}\n\n'),
    );
    const lines = follow([{ name: 'one', url }]);
    await vi.waitFor(() => { expect(calls).toHaveLength(3); }, 10_000);
    expect(calls.map((headers) => headers['last-event-id'])).toEqual([undefined, '7', undefined]);
    await vi.waitFor(() => { expect(lines.filter(({ begins }) => begins)).toHaveLength(2); });
  });

  it('comes again when an answer says, and leaves a line where it is restless', async () => {
    const { calls, url } = await serve(
      (response) => { response.writeHead(500, { 'retry-after': '0' }).end(); },
      says('id: 1\nevent: mark\ndata: {}\n\n'),
    );
    const lines = follow([{ name: 'one', url }], { holdsMs: () => 300 });
    await vi.waitFor(() => { expect(calls.length).toBeGreaterThan(2); }, 10_000);
    expect(lines[0]).toMatchObject({ event: 'answer', status: 500 });
    expect(eventsOf(lines).slice(0, 5)).toEqual(['answer', 'end', 'answer', 'mark', 'end']);
  });
});

describe('server-sent events', () => {
  it('are read whole, however they are cut', async () => {
    const bytes = Buffer.from(
      'event: facts\ndata: {"name":"São"}\n\nevent: mark\ndata: {}\n\nevent: lo',
    );
    for (const size of [1, 7, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => (
        bytes.subarray(at * size, (at + 1) * size)));
      const seen = [];
      for await (const { event, data } of eventsIn(ReadableStream.from<Uint8Array>(chunks))) {
        seen.push([event, data]);
      }
      expect(seen).toEqual([['facts', { name: 'São' }], ['mark', {}]]);
    }
  });
});
