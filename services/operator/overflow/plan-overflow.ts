import type { Overflow, OverflowRecorded } from '../../kernel/overflow.ts';

/** Which way the locations of a device or of a provider are to go. */
export interface OverflowWish {
  /** One of both. */
  readonly deviceId?: string | undefined;
  readonly provider?: string | undefined;
  readonly state: OverflowRecorded['state'];
  /** How long it holds for a provider; until the next decision without it. */
  readonly spanMs?: number | undefined;
  readonly reason?: string | undefined;
}

/** What planning asks of a name that no decision is about yet. */
export interface PlanOverflowPorts {
  readonly isDevice: (id: string) => Promise<boolean>;
  readonly isProvider: (name: string) => Promise<boolean>;
}

/** A decision that holds already, a new one, or why there is none. */
export type OverflowPlan =
  | { readonly kind: 'already' | 'new'; readonly fact: OverflowRecorded }
  | { readonly kind: 'no-device' | 'no-provider' | 'not-in' };

/**
 * The decision that a wish comes to. So that a typing error moves nothing in, the log or the state
 * store must know a name without a decision. Operators may keep out a provider that neither knows.
 */
export async function planOverflow(
  decided: Overflow, wish: OverflowWish, nowMs: number, ports: PlanOverflowPorts,
): Promise<OverflowPlan> {
  return wish.provider === undefined
    ? planDevice(decided, wish.deviceId ?? '', wish, nowMs, ports)
    : planProvider(decided, wish.provider, wish, nowMs, ports);
}

async function planDevice(
  { devices }: Overflow, device_id: string, { state, reason }: OverflowWish, nowMs: number,
  { isDevice }: PlanOverflowPorts,
): Promise<OverflowPlan> {
  const known = devices.get(device_id);
  if (state === 'out' && known === undefined) return { kind: 'not-in' };
  if (known?.state === state) return { kind: 'already', fact: known };
  if (known === undefined && !await isDevice(device_id)) return { kind: 'no-device' };
  return { kind: 'new', fact: {
    type: 'OverflowRecorded', device_id, state, ...(reason === undefined ? {} : { reason }),
    version: (known?.version ?? 0) + 1, at_ms: nowMs,
  } };
}

async function planProvider(
  { providers }: Overflow, provider: string, { state, spanMs, reason }: OverflowWish,
  nowMs: number, { isProvider }: PlanOverflowPorts,
): Promise<OverflowPlan> {
  const decisions = providers.get(provider);
  const known = decisions?.operator;
  const isSame = known?.state === state && known.ends_at_ms === undefined && spanMs === undefined;
  if (isSame) return { kind: 'already', fact: known };
  if (state === 'in' && decisions === undefined && !await isProvider(provider)) {
    return { kind: 'no-provider' };
  }
  return { kind: 'new', fact: {
    type: 'OverflowRecorded', provider, by: 'operator', state,
    ...(reason === undefined ? {} : { reason }),
    version: (known?.version ?? 0) + 1, at_ms: nowMs,
    ...(spanMs === undefined ? {} : { ends_at_ms: nowMs + spanMs }),
  } };
}
