import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalStack } from '../../../infra/local/processes/local-stack.ts';
import { withPrivateStack } from '../../../infra/local/processes/private-stack.ts';
import { openClient } from '../../../services/clients/typescript/src/index.ts';
import type { Patch } from '../cluster/copy-product.ts';
import { startFaultProxy } from '../cluster/fault-proxy.ts';
import { createDice } from '../dice.ts';
import type { FaultRun } from '../run/run-faults.ts';
import { copyKits, kitCommand, KIT_NAMES, type KitName } from './kit-copy.ts';
import { createKitProcess } from './kit-process.ts';
import { kitsPageOf } from './kits-page.ts';
import { flushKits, killKits, type KitInUse } from './kill-kits.ts';
import { createMeasurer } from './measure.ts';
import { KIT_MUTANTS } from './mutants.ts';
import { readFixes, readRepeats } from './read-tables.ts';
import { troublesOf, type KitResult } from './verdict.ts';

/** How long the kits send, and how often they are killed. */
export interface ClientsChosen {
  readonly seconds: number;
  readonly killEverySeconds: number;
  readonly port: number;
}

/** A run of so many seconds or more writes its page. */
const PAGE_SECONDS_MIN = 300;
const PAGE = new URL('../../../docs/reference/faults-kits.md', import.meta.url);
const DEVICES = 8;
/** After those of the platform. */
const LINE_PORT = 25;
const FIRST_TRANSPORT = 800_001;
/** Kits that are killed ask for more tokens than a client should. */
const TOKENS = {
  RASTRO_TOKEN_REQUESTS_PER_MINUTE: '6000', RASTRO_TOKEN_REQUESTS_BURST: '6000',
};
const HOURS_AGO_SECONDS = 72_000;

/** Kills both kits while they send. Gives the exit code. */
export function runClients(chosen: ClientsChosen, run: FaultRun): Promise<number> {
  run.print(`seed ${run.seed}, commit ${run.commit}`);
  return withPrivateStack({ port: chosen.port, gatewaySettings: TOKENS }, async (local, signal) => {
    const site = siteOf(local, chosen, run, signal);
    const results = await site.use({ name: 'kits', kits: KIT_NAMES, patches: [] });
    const failed = results.filter((result) => troublesOf(result).length > 0);
    for (const result of results) {
      run.print(lineOf(result));
      for (const trouble of troublesOf(result)) run.print(`     ${trouble}`);
    }
    if (failed.length === 0 && chosen.seconds >= PAGE_SECONDS_MIN) {
      writeFileSync(PAGE, kitsPageOf(results, { ...chosen, ...run }));
    }
    run.print(`${results.length - failed.length} passed, ${failed.length} failed`);
    return failed.length === 0 ? 0 : 1;
  });
}

/** Each mutant of a kit must lose fixes. Gives the exit code. */
export function runKitMutants(
  names: readonly string[], chosen: ClientsChosen, run: FaultRun,
): Promise<number> {
  run.print(`seed ${run.seed}, commit ${run.commit}`);
  const mutants = KIT_MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name));
  if (mutants.length < names.length) throw new Error('No such mutant; see test/faults/clients.');
  return withPrivateStack({ port: chosen.port, gatewaySettings: TOKENS }, async (local, signal) => {
    const site = siteOf(local, chosen, run, signal);
    let missed = 0;
    for (const { name, kit, patches } of mutants) {
      const [result] = await site.use({ name, kits: [kit], patches });
      const isCaught = result !== undefined && result.lost > 0;
      if (!isCaught) missed += 1;
      if (result !== undefined) run.print(`${isCaught ? 'caught' : 'MISSED'} ${name}: ${lineOf(result)}`);
    }
    run.print(`${mutants.length - missed} passed, ${missed} failed`);
    return missed === 0 ? 0 : 1;
  });
}

/** One use of kits: a copy of them, changed or not. */
interface Use {
  readonly name: string;
  readonly kits: readonly KitName[];
  readonly patches: readonly Patch[];
}

function siteOf(
  local: LocalStack, chosen: ClientsChosen, { seed, keeps, print }: FaultRun, signal: AbortSignal,
): { readonly use: (use: Use) => Promise<readonly KitResult[]> } {
  const { identity, ports } = local;
  const address = {
    RASTRO_PROVIDER: identity.provider, RASTRO_COUNTRY: identity.country,
    RASTRO_CLIENT_ID: identity.clientId, RASTRO_CLIENT_SECRET: identity.clientSecret,
  };
  let transport = FIRST_TRANSPORT;

  async function use({ name, kits, patches }: Use): Promise<readonly KitResult[]> {
    const dir = mkdtempSync(join(tmpdir(), 'rastro-kits-'));
    const since = new Date();
    const copy = join(dir, 'kits');
    copyKits(copy, patches);
    const line = await startFaultProxy(chosen.port + LINE_PORT, ports.http);
    const accepted: string[] = [];
    const plain = await openClient({
      url: local.url, provider: identity.provider, countryId: identity.country,
      clientId: identity.clientId, clientSecret: identity.clientSecret,
      onRefused: ({ problem }) => { throw new Error(problem.detail); },
      onAccepted: ({ ingestId }) => { accepted.push(ingestId); },
    });
    const inUse: (KitInUse & { readonly kit: KitName; readonly devices: readonly string[] })[] = [];
    try {
      for (const kit of kits) {
        const devices = await registered(plain, identity.country);
        const env = { ...address, RASTRO_URL: `http://127.0.0.1:${line.port}` };
        inUse.push({
          kit, devices,
          process: createKitProcess(kitCommand(kit, copy, join(dir, `spool-${kit}`), env)),
          measurer: createMeasurer(
            devices, identity.country, Math.floor(since.getTime() / 1_000) - HOURS_AGO_SECONDS,
          ),
        });
      }
      const kills = await killKits(inUse, { ...chosen, line, dice: createDice(`${seed}/${name}`), signal });
      print('all is measured; waiting for the kits and for the tables');
      await flushKits(inUse);
      for (const { measurer } of inUse) {
        await Promise.all(measurer.measure().map(({ device_id, fixes }) => (
          plain.sendLocations(device_id, fixes)
        )));
      }
      await plain.flush();
      for (const ingestId of accepted) await plain.receipt(ingestId);
      const repeats = await readRepeats(local.stack.env, since);
      return await Promise.all(inUse.map(async ({ kit, devices, process, measurer }) => ({
        kit, kills, repeats, measured: measurer.count(), troubles: process.troubles,
        ...measurer.compare(await readFixes(local.stack.env, devices)),
      })));
    } finally {
      await Promise.all(inUse.map(({ process }) => process.end()));
      await plain.close();
      await line.close();
      if (!keeps) rmSync(dir, { recursive: true, force: true });
    }
  }

  async function registered(
    plain: Awaited<ReturnType<typeof openClient>>, country_id: string,
  ): Promise<readonly string[]> {
    const devices: string[] = [];
    for (let nth = 0; nth < DEVICES; nth += 1) {
      const number = transport++;
      const { body } = await plain.call({
        method: 'POST', path: '/shipping/rtt/devices', query: { country_id },
        body: {
          external_entity: { entity_id: `kit-${number}`, entity_type: 'kit_truck' },
          transport: { id: number },
        },
      });
      const { id } = body as { readonly id: string };
      await plain.call({
        method: 'POST', path: `/shipping/rtt/devices/${id}/start_tracking`, query: { country_id },
      });
      devices.push(id);
    }
    return devices;
  }

  return { use };
}

function lineOf(result: KitResult): string {
  const { kit, kills, measured, rows, lost, doubled, strange, repeats } = result;
  return `${kit}: ${kills} kills, ${measured} fixes measured, ${rows} rows,`
    + ` lost=${lost} doubled=${doubled} strange=${strange}; ${repeats} fixes came again in this run`;
}
