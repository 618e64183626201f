import type { PlatformActor } from './platform-actor.ts';

/** Who issues commands at one time; more would only wait for each other. */
const ISSUERS = 24;
/** An answer that takes longer than a moment drawn up to here is not waited for, in ms. */
const LEAVE_MS_MAX = 40;
const LEAVES = 0.3;
const REPEATS_AFTER_ANSWER = 0.2;

/**
 * Issues so many commands, each about a transport of its own: half of them with an Idempotency-Key,
 * half with an `id` in the body alone. Of many the answer is lost, and of some the platform repeats
 * what was answered; a repeat goes to the other gateway, also while the first is in progress.
 */
export async function repeatCommands(
  actor: PlatformActor, firstTransport: number, count: number,
): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: ISSUERS }, async () => {
    while (next < count && !actor.stopping.aborted) await issueOne(actor, firstTransport, next++);
  }));
}

async function issueOne(
  { caller, commandToken, dice, unique, providers }: PlatformActor, firstTransport: number,
  nth: number,
): Promise<void> {
  const isKeyed = nth % 2 === 0;
  const plate = unique('plate');
  const provider = dice.pick(providers);
  const transport_id = firstTransport + nth;
  const gateway = dice.between(0, 1);
  const name = isKeyed ? 'start_tracking' : 'process_telemetry_events';
  const outgoing = {
    op: 'command' as const, token: commandToken, gateway,
    path: `/platform/providers/${provider}/commands?country_id=BR`,
    ...(isKeyed ? { headers: { 'idempotency-key': plate } } : {}),
    body: {
      command: name, transport: { id: transport_id, license_plate: plate, country_id: 'BR' },
      ...(isKeyed ? {} : {
        id: Buffer.from(plate).toString('base64'),
        travel: { init_date: '2026-11-20T08:00:00Z', end_date: '2026-11-20T20:00:00Z' },
      }),
    },
    args: { provider, transport_id, command: name, command_mark: plate },
  };
  const leaves = dice.chance(LEAVES) ? { leaveMs: dice.between(1, LEAVE_MS_MAX) } : {};
  await caller.call({ ...outgoing, ...leaves });
  if (dice.chance(REPEATS_AFTER_ANSWER)) {
    await caller.call({ ...outgoing, gateway: 1 - gateway });
  }
}
