import type { Twist } from '../wrong-receiver.ts';
import type { ReceivedRequest, ReceiverAnswer } from './receiver.ts';

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
export function changeStatus(
  on: RegExp, from: number, to: number, when?: (asked: ReceivedRequest) => boolean,
): Twist {
  return {
    changeAnswer: (answer, asked) => {
      const isMeant = answer.status === from && isOn(on, asked) && (when?.(asked) ?? true);
      return isMeant ? { ...answer, status: to } : answer;
    },
  };
}

/** Changes the body of answers of one status. A member that becomes undefined is left out. */
export function changeBody(
  on: RegExp, status: number,
  change: (body: Record<string, unknown>, asked: ReceivedRequest) => object,
): Twist {
  return {
    changeAnswer: (answer, asked) => {
      if (answer.status !== status || !isOn(on, asked)) return answer;
      const body = answer.body as object;
      return { ...answer, body: { ...body, ...change({ ...body }, asked) } };
    },
  };
}

/** Sends a header with another value, or none. */
export function changeHeader(on: RegExp, name: string, value?: string): Twist {
  return {
    changeAnswer: (answer: ReceiverAnswer, asked) => {
      if (!isOn(on, asked)) return answer;
      const { [name]: _, ...rest } = answer.headers ?? {};
      return { ...answer, headers: value === undefined ? rest : { ...rest, [name]: value } };
    },
  };
}

/** Takes the request for another one. */
export function changeRequest(
  on: RegExp, change: (asked: ReceivedRequest) => Partial<ReceivedRequest>,
): Twist {
  return { changeRequest: (asked) => isOn(on, asked) ? { ...asked, ...change(asked) } : asked };
}

/** Takes the JSON body for another one. */
export function changeRequestBody(
  on: RegExp, change: (body: Record<string, unknown>) => unknown,
): Twist {
  return changeRequest(on, ({ bytes }) => {
    try {
      return { bytes: Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString()) as never))) };
    } catch {
      return {};
    }
  });
}

/** True when the body, or a part of it, is written so. */
export function bodyHas(text: string | RegExp): (asked: ReceivedRequest) => boolean {
  return ({ bytes }) => new RegExp(text).test(bytes.toString());
}

/** A twist that begins with the n-th call of that kind. */
export function fromCall(number: number, on: RegExp, twist: Twist): Twist {
  let calls = 0;
  return {
    changeAnswer: (answer, asked) => {
      if (isOn(on, asked)) calls += 1;
      return calls >= number ? twist.changeAnswer?.(answer, asked) ?? answer : answer;
    },
  };
}

function isOn(on: RegExp, asked: ReceivedRequest): boolean {
  return on.test(`${asked.method} ${asked.path}`);
}
