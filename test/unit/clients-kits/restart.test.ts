import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, fix, problem, scene, timestampsOf } from './fake-gateway.ts';

describe('a client with a spool', () => {
  let home: string;
  beforeEach(() => { home = mkdtempSync(join(tmpdir(), 'rastro-kit-')); });
  afterEach(() => { rmSync(home, { recursive: true, force: true }); });

  /** What a killed process leaves: the files as they are at this moment. */
  function killedAt(dir: string): string {
    const copy = mkdtempSync(join(home, 'killed-'));
    cpSync(dir, copy, { recursive: true });
    rmSync(join(copy, 'owner'), { force: true });
    return copy;
  }

  it('has the fixes on the disk when send ends, though the gateway is away', async () => {
    const dir = join(home, 'spool');
    const away = scene(() => problem(500, 'internal'));
    const client = await away.open({ spool: { dir } });
    await client.sendLocations('d1', [fix(1), fix(2)]);
    await client.sendLocations('d2', [fix(3)]);
    const left = killedAt(dir);
    await client.close();

    const { open, calls } = scene();
    const next = await open({ spool: { dir: left } });
    await next.flush();
    expect(timestampsOf(calls, 'd1')).toEqual([1, 2]);
    expect(timestampsOf(calls, 'd2')).toEqual([3]);
    await next.close();
  });

  it('that was killed before the answer sends the same bytes again', async () => {
    const dir = join(home, 'spool');
    let left = '';
    const first = scene(() => {
      left = killedAt(dir);
      return accepted();
    });
    const client = await first.open({ spool: { dir } });
    await client.sendLocations('d1', [fix(1), fix(2)]);
    await client.flush();
    await client.close();

    const second = scene();
    const next = await second.open({ spool: { dir: left } });
    await next.flush();
    expect(second.calls.map(({ text }) => text)).toEqual(first.calls.map(({ text }) => text));
    await next.close();
  });

  it('sends nothing again that was answered before it was closed', async () => {
    const spool = { dir: join(home, 'spool') };
    const first = scene(({ body }) => body.device_id === 'd1' ? accepted() : problem(400, 'no_good'));
    const client = await first.open({ spool });
    await client.sendLocations('d1', [fix(1)]);
    await client.sendLocations('d2', [fix(1)]);
    await client.flush();
    await client.close();
    expect(first.refused).toHaveLength(1);

    const second = scene();
    const next = await second.open({ spool });
    await next.flush();
    expect(second.calls).toEqual([]);
    await next.close();
  });

  it('keeps a refused batch until onRefused is done', async () => {
    const dir = join(home, 'spool');
    let left = '';
    const first = scene(() => problem(400, 'no_good'));
    const client = await first.open({ spool: { dir }, onRefused: () => { left = killedAt(dir); } });
    await client.sendLocations('d1', [fix(1)]);
    await client.flush();
    await client.close();
    const second = scene(() => problem(400, 'no_good'));
    const next = await second.open({ spool: { dir: left } });
    await next.flush();
    expect(second.refused).toHaveLength(1);
    await next.close();
  });

  it('writes what waits when it is closed', async () => {
    const spool = { dir: join(home, 'spool') };
    const first = scene(() => problem(500, 'internal'));
    const client = await first.open({ spool, lingerMs: 1e9 });
    const sent = client.sendLocations('d1', [fix(1)]);
    await client.close();
    await sent;
    const second = scene();
    const next = await second.open({ spool });
    await next.flush();
    expect(timestampsOf(second.calls, 'd1')).toEqual([1]);
    await next.close();
  });

  it('that is full holds the caller back, also with what a former process left', async () => {
    const spool = { dir: join(home, 'spool'), bytesMax: 1_000 };
    const away = scene(() => problem(500, 'internal'));
    const client = await away.open({ spool });
    await client.sendLocations('d1', [fix(1), fix(2)]);
    await client.sendLocations('d1', [fix(3), fix(4)]);
    await client.close();

    let isOpen = false;
    const { open, calls } = scene(() => isOpen ? accepted() : problem(500, 'internal'));
    const next = await open({ spool });
    let isSent = false;
    const sent = next.sendLocations('d1', [fix(5), fix(6), fix(7)]).then(() => { isSent = true; });
    while (calls.length < 5) await new Promise(setImmediate);
    expect(isSent).toBe(false);
    isOpen = true;
    await sent;
    await next.flush();
    expect([...new Set(timestampsOf(calls, 'd1'))]).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await next.close();
  });
});
