import type { Twist } from '../wrong-receiver.ts';
import type { Asked, Told } from './world.ts';

/** One way to be wrong, the check that must notice it, and what that check must say. */
export interface Mistake {
  readonly check: string;
  readonly name: string;
  readonly twist: Twist;
  readonly complaint: RegExp;
}

/** Where calls of each kind are, as `METHOD /path`. */
export const ON = {
  token: /^POST \/oauth\/token$/,
  revoke: /^POST \/oauth\/revoke$/,
  register: /^POST \/shipping\/rtt\/devices$/,
  start: /^POST \/shipping\/rtt\/devices\/[^/]+\/start_tracking$/,
  stop: /^POST \/shipping\/rtt\/devices\/[^/]+\/stop_tracking$/,
  startEntity: /^POST \/shipping\/rtt\/devices\/start_tracking$/,
  stopEntity: /^POST \/shipping\/rtt\/devices\/stop_tracking$/,
  rtt: /^POST \/shipping\/rtt\//,
  data: /^POST \/shipping\/rtt\/georeceiver\//,
  locations: /^POST \/shipping\/rtt\/georeceiver\/[^/]+\/locations$/,
  events: /\/telemetry\/events$/,
  deferred: /\/telemetry\/events\/deferred$/,
  deliveries: /\/georeceiver\/proximity\//,
  push: /^POST \/shipping\/tracking\/notifications$/,
  feed: /^GET \/shipping\/tracking\/shipments\/[^/]+\/notifications$/,
  journey: /\/journey$/,
  authorization: /^POST \/shipments\/[^/]+\/authorization$/,
  cancellation: /^POST \/shipments\/[^/]+\/cancellation$/,
  commands: /^POST \/rtt\/commands$/,
} as const;

/** Answers one status in place of another, everywhere it comes from these calls. */
export function turns(
  on: RegExp, from: number, to: number, when?: (asked: Asked) => boolean,
): Twist {
  return {
    tell: (told, asked) => {
      const isMeant = told.status === from && isOn(on, asked) && (when?.(asked) ?? true);
      return isMeant ? { ...told, status: to } : told;
    },
  };
}

/** Changes the body of answers of one status. A member that becomes undefined is left out. */
export function tells(
  on: RegExp, status: number, change: (body: Record<string, unknown>, asked: Asked) => object,
): Twist {
  return {
    tell: (told, asked) => told.status === status && isOn(on, asked)
      ? { ...told, body: { ...told.body as object, ...change({ ...told.body as object }, asked) } }
      : told,
  };
}

/** Sends a header with another value, or none. */
export function heads(on: RegExp, name: string, value?: string): Twist {
  return {
    tell: (told: Told, asked) => {
      if (!isOn(on, asked)) return told;
      const { [name]: _, ...rest } = told.headers ?? {};
      return { ...told, headers: value === undefined ? rest : { ...rest, [name]: value } };
    },
  };
}

/** Takes the request for another one. */
export function takes(on: RegExp, change: (asked: Asked) => Partial<Asked>): Twist {
  return { ask: (asked) => isOn(on, asked) ? { ...asked, ...change(asked) } : asked };
}

/** Takes the JSON body for another one. */
export function reads(on: RegExp, change: (body: Record<string, unknown>) => unknown): Twist {
  return takes(on, ({ bytes }) => {
    try {
      return { bytes: Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString()) as never))) };
    } catch {
      return {};
    }
  });
}

/** True when the body, or a part of it, is written so. */
export function says(text: string | RegExp): (asked: Asked) => boolean {
  return ({ bytes }) => new RegExp(text).test(bytes.toString());
}

/** A twist that begins with the n-th call of that kind. */
export function fromCall(number: number, on: RegExp, twist: Twist): Twist {
  let calls = 0;
  return {
    tell: (told, asked) => {
      if (isOn(on, asked)) calls += 1;
      return calls >= number ? twist.tell?.(told, asked) ?? told : told;
    },
  };
}

function isOn(on: RegExp, asked: Asked): boolean {
  return on.test(`${asked.method} ${asked.path}`);
}
