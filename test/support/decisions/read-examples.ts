import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

const FOLDER = 'docs/decisions/examples';

/** What an answer must be; everything that it does not name may be as it likes. */
export interface ExpectedAnswer {
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly text?: string;
  readonly lacks?: readonly string[];
}

/** A call over HTTP. */
export interface CallStep {
  readonly call: string;
  readonly as?: string;
  readonly gateway?: Readonly<Record<string, string>>;
  readonly audience?: string;
  readonly token?: string;
  /** Of the query, behind those that the call has already. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
  readonly text?: string;
  readonly base64?: string;
  readonly gzip?: boolean;
  readonly times?: number;
  readonly until?: boolean;
  readonly answer: ExpectedAnswer;
  readonly save?: Readonly<Record<string, string>>;
}

/** A request as it goes over the line, line by line. */
export interface RawStep {
  readonly raw: readonly string[];
  readonly as?: string;
  readonly answer: ExpectedAnswer;
}

/** A part of the stack that goes away, comes back, or loses what it has. */
export interface PartStep {
  readonly part: 'log' | 'state store' | 'projectors';
  readonly goes: 'away' | 'back' | 'blank';
}

/** The operator's `rastro client`. */
export interface ClientStep {
  readonly client: readonly string[];
  readonly save?: Readonly<Record<string, string>>;
}

/** How a party answers from now on, or which calls it must have seen by now. */
export interface PartyStep {
  readonly party: 'provider' | 'carrier';
  readonly answers?: readonly (number | string | object)[];
  readonly saw?: readonly object[];
}

/** What an analyst reads. */
export interface QueryStep {
  readonly query: string;
  readonly rows: readonly object[];
}

/** One thing that an example does. */
export type ExampleStep = CallStep | RawStep | PartStep | ClientStep | PartyStep | QueryStep;

/** Calls and answers that show one decision. */
export interface Example {
  readonly shows: string;
  readonly given?: Readonly<Record<string, string>>;
  readonly steps: readonly ExampleStep[];
}

/** The test that shows a decision which no call and answer can show. */
export interface Elsewhere {
  readonly why: string;
  readonly test: string;
  readonly title: string;
}

/** The examples of one heading of a page of decisions. */
export interface DecisionExamples {
  /** Name of the page without its ending. */
  readonly page: string;
  readonly heading: string;
  readonly examples: readonly Example[];
  readonly elsewhere?: Elsewhere;
}

/** The pages that have examples, without their endings; `access.tokens.yaml` is of `access`. */
export function pagesWithExamples(): readonly string[] {
  return [...new Set(files().map(pageOf))];
}

function files(): readonly string[] {
  return readdirSync(FOLDER).filter((file) => file.endsWith('.yaml')).toSorted();
}

function pageOf(file: string): string {
  return file.replace(/\..*$/, '');
}

/** Reads the examples of every page; throws where one is not of the form of schema.json. */
export function readExamples(): readonly DecisionExamples[] {
  const schema = JSON.parse(readFileSync(`${FOLDER}/schema.json`, 'utf8')) as object;
  const check = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
  return files().flatMap((file) => {
    const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
    const read: unknown = parse(text, { merge: true, maxAliasCount: -1 });
    if (!check(read)) throw new Error(`${file}: ${JSON.stringify(check.errors?.slice(0, 3))}`);
    const { decisions } = read as {
      readonly decisions: Readonly<Record<string, readonly Example[] | Elsewhere>>;
    };
    const page = pageOf(file);
    return Object.entries(decisions).map(([heading, shown]) => (
      'why' in shown
        ? { page, heading, examples: [], elsewhere: shown }
        : { page, heading, examples: shown }
    ));
  });
}
