/** Names that an example may use between braces, with their values. */
export type Variables = Map<string, unknown>;

const WHOLE = /^\{([^{}]+)\}$/;
const PART = /\{([a-z_][\w.+-]*)\}/g;
const TIME = /^(now|millis|date)([+-]\d+)?$/;

/**
 * Fills `{name}` in every text of a value. A text that is nothing but `{name}` becomes the value
 * itself, so that numbers stay numbers. `{now}` is the second of now, `{millis}` the millisecond,
 * `{date}` a date-time; each may have seconds behind it, `{now-60}`.
 */
export function fill<Value>(value: Value, variables: Variables): Value {
  if (typeof value === 'string') return fillText(value, variables) as Value;
  if (Array.isArray(value)) return value.map((each: unknown) => fill(each, variables)) as Value;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(
      ([key, each]) => [fillPart(key, variables), fill(each as unknown, variables)],
    )) as Value;
  }
  return value;
}

function fillText(text: string, variables: Variables): unknown {
  const name = WHOLE.exec(text)?.[1];
  if (name !== undefined && PART.test(text)) {
    PART.lastIndex = 0;
    return valueOf(name, variables);
  }
  PART.lastIndex = 0;
  return fillPart(text, variables);
}

function fillPart(text: string, variables: Variables): string {
  return text.replaceAll(PART, (_all, name: string) => String(valueOf(name, variables)));
}

function valueOf(name: string, variables: Variables): unknown {
  const time = TIME.exec(name);
  if (time !== null) return timeOf(time[1] ?? '', Number(time[2] ?? 0));
  if (!variables.has(name)) throw new Error(`No step before has made {${name}}.`);
  return variables.get(name);
}

function timeOf(unit: string, offsetSeconds: number): number | string {
  const seconds = Math.floor(Date.now() / 1_000) + offsetSeconds;
  if (unit === 'date') return new Date(seconds * 1_000).toISOString();
  return unit === 'now' ? seconds : seconds * 1_000;
}
