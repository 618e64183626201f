/** Waits until a query of Prometheus has one value, which is at least so much. */
import { waitFor } from '../../../infra/local/wait.ts';
import { answer } from '../../containers/inside/answer.ts';

interface Question {
  readonly url: string;
  readonly query: string;
  /** Any value will do when absent. */
  readonly least?: number;
  readonly deadlineMs: number;
}

interface Answer {
  readonly data?: { readonly result?: readonly { readonly value: readonly [number, string] }[] };
}

const ASK_MS_MAX = 20_000;
const EVERY_MS = 1_000;

async function valueOf({ url, query }: Question): Promise<number | undefined> {
  const asked = new URL('/api/v1/query', url);
  asked.searchParams.set('query', query);
  const said = await fetch(asked, { signal: AbortSignal.timeout(ASK_MS_MAX) });
  const { data } = await said.json() as Answer;
  const [only] = data?.result ?? [];
  return only === undefined ? undefined : Number(only.value[1]);
}

await answer<Question>(async (question) => {
  const { least = -Infinity, deadlineMs, query } = question;
  let value: number | undefined;
  await waitFor(async () => {
    value = await valueOf(question).catch(() => undefined);
    return value !== undefined && value >= least;
  }, { what: `A value of ${query} from ${least} on`, deadlineMs, everyMs: EVERY_MS });
  return { value };
});
