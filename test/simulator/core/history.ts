/** What a call asked for, as far as the invariants look at it. */
export type Args = Readonly<Record<string, string>>;

/** A client's call and what came back. `from` and `to` are steps of the scheduler. */
export interface SimCall {
  readonly op: string;
  readonly client: string;
  readonly args: Args;
  readonly from: number;
  to: number;
  /** ok: 2xx; fail: 4xx but 429; info: anything else, so that the outcome is unknown. */
  outcome: 'ok' | 'fail' | 'info';
  status: number | undefined;
  body: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string>>;
}

/** Every call of a schedule, in the order in which they began. */
export interface CallHistory {
  readonly tries: readonly SimCall[];
  begin(step: number, op: string, client: string, args: Args): SimCall;
  /** Ends a call; without a status its answer never came. */
  end(each: SimCall, step: number, status?: number, body?: unknown, headers?: Args): void;
  of(...ops: readonly string[]): readonly SimCall[];
}

/** Makes an empty history. */
export function createHistory(): CallHistory {
  const tries: SimCall[] = [];
  return {
    tries,
    begin(step, op, client, args) {
      const each: SimCall = {
        op, client, args, from: step, to: Infinity, outcome: 'info', status: undefined, body: {},
        headers: {},
      };
      tries.push(each);
      return each;
    },
    end(each, step, status, body = {}, headers = {}) {
      const isFail = status !== undefined && status >= 400 && status < 500 && status !== 429;
      const isOk = status !== undefined && status >= 200 && status < 300;
      Object.assign(each, {
        to: step, status, body, headers, outcome: isOk ? 'ok' : isFail ? 'fail' : 'info',
      });
    },
    of: (...ops) => tries.filter(({ op }) => ops.includes(op)),
  };
}

/** A call in words, for a finding. */
export function tryName({ op, client, status, from, to }: SimCall): string {
  return `${op} by ${client} (${String(status ?? 'no answer')}, steps ${from} to ${to})`;
}
