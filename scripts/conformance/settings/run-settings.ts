import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RenderedProcess } from '../../../infra/check/rendered.ts';
import { replayOf } from '../../../infra/local/demo/run-demo.ts';
import { printLine } from '../../../infra/local/part.ts';
import {
  ALL_GRANTS, demoClient, type ProviderIdentity,
} from '../../../infra/local/processes/demo-client.ts';
import { firstToken } from '../../../infra/local/processes/first-token.ts';
import { providerPlan } from '../../../infra/local/processes/local-plans.ts';
import { startLocalStack, type LocalStack } from '../../../infra/local/processes/local-stack.ts';
import type { Role } from '../../../services/conformance/check.ts';
import { PROFILES } from '../../../services/conformance/profiles.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { examine, plus, summary, type Totals } from '../examine.ts';
import { openFront } from './front.ts';
import { keptOf, plansOf } from './local-settings.ts';

/** Which shipped settings run, and with what. */
export interface SettingsRun {
  readonly name: string;
  readonly processes: readonly RenderedProcess[];
  readonly port: number;
  readonly only: string;
  /** Length of the drive of the reference provider; 0 for none. */
  readonly driveSeconds: number;
  readonly print: (text: string) => void;
}

const DRIVE = { devices: 20, speed: 60, replay: true } as const;
const SLOWLY = { speed: 1, replaySeconds: 0, shipments: 0 };
const ROLES: readonly Role[] = ['receiver', 'carrier', 'provider'];
const EXAMPLE_FINAL_CODE = 'EX-DELIVERED';
/** More tokens come at once than the kit asks for; then a 429 is waited out as it says. */
const AS_FAST_AS_IT_GOES = 0;

/**
 * Runs gateways and workers with exactly the settings that were shipped, on the local stack, and
 * holds them to the kit, then to the ledger of the reference provider. True when all is well.
 */
export async function runSettings(run: SettingsRun, leaving: AbortSignal): Promise<boolean> {
  const { name, processes, port, print } = run;
  const kept = new Set(processes.flatMap((each) => keptOf(each)));
  print(`\n== ${name}: ${processes.map((each) => each.name).join(', ')}\n`
    + `settings as shipped: ${[...kept].toSorted().join(' ')}\n`);
  const dir = mkdtempSync(join(tmpdir(), 'rastro-settings-'));
  let local: LocalStack | undefined;
  try {
    local = await startLocalStack({
      dir, port, leaving, log: printLine, grants: ALL_GRANTS,
      plans: (settings) => plansOf(processes, settings),
    });
    await openFrontOf(local);
    await firstToken(local);
    const isConforming = await holdToKit(run, local);
    return isConforming && (run.driveSeconds === 0 || await drive(run, local, leaving));
  } finally {
    await local?.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Several programs of gateways get one address, as in a cluster. */
async function openFrontOf(local: LocalStack): Promise<void> {
  const gateways = [...local.processes.values()].filter(({ kind }) => kind === 'gateways');
  if (gateways.length === 1) return;
  const ports = new Map(gateways.map((each) =>
    [each.name, Number(each.release().env['RASTRO_HTTP_PORT'])]));
  const front = await openFront(local.ports.http, (program) => ports.get(program) ?? 0);
  local.onClose(front.close);
}

/** Each role comes as a client of its own: the limit of tokens is as it was shipped. */
async function holdToKit(run: SettingsRun, local: LocalStack): Promise<boolean> {
  const provider = await local.start(providerPlan(local, {
    ...SLOWLY, ledgerFile: join(local.dir, 'kit-ledger.jsonl'),
  }));
  let totals: Totals | undefined;
  for (const role of ROLES) {
    const identity = await clientFor(role, local);
    const found = await examine({
      targets: { [role]: role === 'provider' ? local.providerUrl : local.url },
      tokenTarget: local.url,
      finalCode: EXAMPLE_FINAL_CODE,
      env: {
        RASTRO_CLIENT_ID: identity.clientId, RASTRO_CLIENT_SECRET: identity.clientSecret,
        RASTRO_PROVIDER: identity.provider, RASTRO_COUNTRY: identity.country,
        RASTRO_PROVIDER_COMMAND_TOKEN: local.secrets.commandToken,
      },
    }, { only: run.only, profile: 'rastro', tokensPerMinute: AS_FAST_AS_IT_GOES }, run.print);
    totals = totals === undefined ? found : plus(totals, found);
  }
  await provider.leave();
  if (totals === undefined) return false;
  const { lines, exitCode } = summary(totals, {
    decides: PROFILES, isForeign: false,
  });
  run.print(`\n${lines.map((line) => `${run.name}, ${line}`).join('\n')}\n`);
  return exitCode === 0;
}

async function clientFor(role: Role, local: LocalStack): Promise<ProviderIdentity> {
  const identity = await demoClient(
    join(local.dir, `client-${role}`), local.operator, silentSignals, ALL_GRANTS,
  );
  await firstToken({ url: local.url, identity });
  return identity;
}

/** The reference provider drives, and its shipments end. */
async function drive(
  run: SettingsRun, local: LocalStack, leaving: AbortSignal,
): Promise<boolean> {
  const { driveSeconds, port } = run;
  const replay = await replayOf(
    { ...DRIVE, dir: local.dir, port, forSeconds: driveSeconds }, local,
    { leaving, print: run.print },
  );
  await replay.watch();
  return !leaving.aborted && await replay.finish();
}
