import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startTestEnv, type TestEnv } from '../../support/platform.ts';
import { newActor, type Actor } from '../../support/platform-actor.ts';
import { startPoliteClient } from '../../support/platform-polite-sender.ts';
import { caughtUp, EXACTLY_ONCE, startSender, type Sender } from '../../support/platform-sender.ts';

// Every process of the platform is killed or ended while devices send on both gateways.
let platform: TestEnv;
let actor: Actor;
beforeAll(async () => {
  platform = await startTestEnv();
  actor = await newActor(platform);
}, 150_000);
afterAll(() => platform.close());

const DEVICES = 6;
const POSTS = 60;

/** Lets devices send around something that happens to the platform, then settles the accounts. */
async function underLoad(happening: () => Promise<void>): Promise<Sender> {
  const sender = await startSender(platform, actor, DEVICES);
  const more = async (): Promise<void> => {
    const least = sender.accepted() + POSTS;
    await eventually(`${POSTS} more accepted posts`, () => sender.accepted() >= least);
  };
  try {
    await more();
    await happening();
    await more();
  } finally {
    await sender.stop();
  }
  await eventually('The catching up of the table-writer', () => caughtUp(platform));
  expect(await sender.balance()).toMatchObject(EXACTLY_ONCE);
  return sender;
}

describe('a crash under load', () => {
  it('[GEN-05] [GEN-07] [LOC-17] of a gateway loses and doubles nothing', async () => {
    const sender = await underLoad(async () => {
      await platform.gateways[0].kill();
      await platform.gateways[0].ready();
    });
    expect([...sender.others.keys()].filter((name) => name !== 'lost')).toEqual([]);
  }, 120_000);

  it('[GEN-05] [GEN-07] of the workers loses and doubles nothing, and no client notices', async () => {
    const sender = await underLoad(async () => {
      const { writer, projectors } = platform;
      await Promise.all([writer.kill(), projectors.kill()]);
      await Promise.all([writer.ready(), projectors.ready()]);
    });
    expect([...sender.others]).toEqual([]);
    const later = await newActor(platform);
    expect((await later.send(await later.startedDevice())).status).toBe(202);
  }, 120_000);
});

describe('an end in order under load', () => {
  it('[GEN-05] of a gateway fails no request of a client that obeys Connection: close', async () => {
    const devices = await Promise.all(Array.from({ length: DEVICES }, () => actor.startedDevice()));
    const clients = devices.map((id) => startPoliteClient(platform.urls, actor, id));
    const each = (which: 0 | 1): Promise<void> => eventually('Posts of every client', () =>
      clients.every((client) => client.answered()[which] >= 10));
    await each(0);
    await platform.gateways[0].stop();
    await each(1);
    await Promise.all(clients.map((client) => client.stop()));
    await platform.gateways[0].start();
    expect(clients.flatMap((client) => client.unanswered)).toEqual([]);
  }, 120_000);

  it('[GEN-05] of every process ends each with no fault, and a new start goes on', async () => {
    await underLoad(async () => {
      const { gateways, writer, projectors } = platform;
      await Promise.all([gateways[1], writer, projectors].map((part) => part.restart()));
    });
    for (const name of ['gateway-2', 'table-writer', 'projectors']) {
      const output = readFileSync(join(platform.dir, name, 'output.log'), 'utf8');
      expect([name, /request_crashed|release_failed|Error:/.exec(output)?.[0]]).toEqual([name, undefined]);
      expect(output).toContain('draining');
    }
  }, 120_000);
});
