import { isJsonObject } from '../../schemas/files.ts';
import type { DocumentCall, Parameter } from './document.ts';
import type { StoryStep } from './story.ts';

/** Examples of the document by the variable that replaces them in bodies. */
export type BodyVariables = ReadonlyMap<string | number, string>;

/** BodyVariables of the environment, by the parameter that they are the value of. */
const FROM_ENVIRONMENT: Readonly<Record<string, string>> = {
  country_id: 'country', provider: 'provider', carrier: 'carrier',
};
/** Values of bodies that are no parameter's. */
const OF_BODIES: readonly (readonly [string, string])[] = [['cmVxdWVzdC0x', 'request_id']];

const SECONDS = { from: 1_700_000_000, to: 1_800_000_000 };
const INSTANT = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
/** What a body says between quotes and must be a number there. */
const BARE = 'number of ';

/** The variable that a parameter takes its value from. */
export function variableOf({ name }: Pick<Parameter, 'name'>): string {
  return FROM_ENVIRONMENT[name] ?? name;
}

/** The parameters of a request with their values, and whether the document alone needs them. */
export function valuesOf(
  { parameters }: DocumentCall, { params = {} }: StoryStep,
): readonly (Parameter & { readonly value: string; readonly isOffered: boolean })[] {
  return parameters.map((parameter) => {
    const given = params[parameter.name];
    const isOffered = !parameter.required && given === undefined;
    const value = given ?? (isOffered ? String(parameter.example) : `{{${variableOf(parameter)}}}`);
    return { ...parameter, value, isOffered };
  });
}

/** The variables of the collection with their first values: examples of what has no default. */
export function defaultsOf(operations: readonly DocumentCall[]): Readonly<Record<string, string>> {
  const defaults: Record<string, string> = Object.fromEntries(
    OF_BODIES.map(([text, name]) => [name, text]),
  );
  for (const parameter of operations.flatMap(({ parameters }) => parameters)) {
    if (parameter.name in FROM_ENVIRONMENT || parameter.in === 'header') continue;
    defaults[parameter.name] ??= String(parameter.example);
  }
  return defaults;
}

/** The values of examples that a body takes from variables. */
export function variablesOf(operations: readonly DocumentCall[]): BodyVariables {
  const ids = operations.flatMap(({ parameters }) => parameters)
    .filter(({ name }) => /(_id|_number|_type)$/.test(name) && !(name in FROM_ENVIRONMENT));
  return new Map<string | number, string>([
    ...OF_BODIES,
    ...ids.filter(({ name }) => name !== 'traceable_type')
      .map(({ name, example }) => [example, name] as const),
  ]);
}

/** A body as Bruno sends it: ids come from variables, and its times are now. */
export function bodyText(
  { body }: DocumentCall, step: StoryStep, variables: BodyVariables,
): string {
  const wished = { ...body?.example, ...step.body };
  const text = JSON.stringify(withVariables(wished, variables), null, 2);
  return text.replaceAll(new RegExp(`"${BARE}(\\{\\{[^}]+\\}\\})"`, 'g'), '$1');
}

/** The value of a field of a form. */
export function formValue(value: unknown, variables: BodyVariables): string {
  return String(withVariables(value, variables));
}

function withVariables(value: unknown, variables: BodyVariables): unknown {
  if (Array.isArray(value)) return value.map((item) => withVariables(item, variables));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => (
      [name, withVariables(member, variables)]
    )));
  }
  if (typeof value === 'number') return numberOf(value, variables);
  if (typeof value !== 'string') return value;
  const variable = variables.get(value);
  if (variable !== undefined) return `{{${variable}}}`;
  return INSTANT.test(value) ? '{{$isoTimestamp}}' : value;
}

function numberOf(value: number, variables: BodyVariables): unknown {
  const variable = variables.get(String(value));
  if (variable !== undefined) return `${BARE}{{${variable}}}`;
  const isInstant = value >= SECONDS.from && value < SECONDS.to;
  return isInstant ? `${BARE}{{$timestamp}}` : value;
}
