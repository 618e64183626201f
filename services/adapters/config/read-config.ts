import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { FactsOf } from '../../kernel/signals.ts';
import { isKnownName } from './others.ts';
import type { ConfigOf, Setting, Settings } from './setting.ts';

/** Variables of the process, as Node gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

const OUR_PREFIXES = /^(RASTRO|RTT)_/;

/**
 * Reads the settings of one deployable from its environment: typed, with defaults, frozen. Throws
 * one error that names every fault, a misspelt name of ours among them, so that a badly set process
 * never starts.
 */
export function readConfig<S extends Settings>(
  name: string, settings: S, env: Environment,
): ConfigOf<S> {
  const values = valuesOf(settings, env);
  const faults = [
    ...Object.keys(env)
      .filter((variable) => OUR_PREFIXES.test(variable) && !(variable in settings))
      .filter((variable) => !isKnownName(variable))
      .map((variable) => `${variable} is not a setting of any part`),
    ...faultsOf(settings, values),
  ];
  if (faults.length > 0) throw new Error(`Bad configuration of ${name}: ${faults.join('; ')}.`);
  return Object.freeze(values) as ConfigOf<S>;
}

/** The configuration as one line for the log, printed once at boot, with secrets covered. */
export function describeConfig(
  name: string, settings: Settings, config: Readonly<Record<string, unknown>>,
): FactsOf<'boot'> {
  const shown = Object.entries(settings).map(([variable, { secret }]) => {
    const value = config[variable];
    if (secret === true && value !== undefined && value !== '') return [variable, '***'];
    return [variable, typeof value === 'string' ? withoutPassword(value) : value];
  });
  return { name, config: JSON.stringify(Object.fromEntries(shown)) };
}

function withoutPassword(value: string): string {
  return value.replace(/^(\w+:\/\/[^/@]*):[^/@]*@/, '$1:***@');
}

function valuesOf(settings: Settings, env: Environment): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const written = env[name];
    const isSet = written !== undefined && written !== '';
    const value = isSet ? typed(setting, written.trim()) : setting.default;
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** A text that is not of the type stays a text, for the schema to refuse. */
function typed({ type }: Setting, written: string): unknown {
  switch (type) {
    case 'string': return written;
    case 'list': return written.split(',').map((item) => item.trim()).filter((item) => item !== '');
    case 'boolean': return { true: true, 1: true, false: false, 0: false }[written] ?? written;
    case 'integer':
    case 'number': return /^-?\d+(\.\d+)?$/.test(written) ? Number(written) : written;
  }
}

function faultsOf(settings: Settings, values: Readonly<Record<string, unknown>>): string[] {
  const properties = Object.entries(settings).map(([name, setting]) => [name, schemaOf(setting)]);
  const required = Object.entries(settings)
    .filter(([, setting]) => setting.optional !== true)
    .map(([name]) => name);
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, logger: false });
  const validate = ajv.compile({
    type: 'object', required, properties: Object.fromEntries(properties) as object,
  });
  if (validate(values)) return [];
  return (validate.errors ?? []).map((error) => faultText(settings, error));
}

function schemaOf(setting: Setting): object {
  const { type, enum: allowed, pattern, minimum, maximum, minLength } = setting;
  if (type === 'list') {
    const minItems = setting.default === undefined && setting.optional !== true ? 1 : 0;
    return { type: 'array', items: { type: 'string' }, minItems };
  }
  return {
    type,
    ...(allowed === undefined ? {} : { enum: allowed }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(minLength === undefined ? {} : { minLength }),
  };
}

function faultText(settings: Settings, { instancePath, keyword, params }: ErrorObject): string {
  const { missingProperty } = params as { missingProperty?: string };
  const name = missingProperty ?? instancePath.split('/')[1] ?? '';
  const meaning = settings[name]?.description ?? '';
  if (keyword === 'required') return `${name} is not set (${meaning})`;
  const limit = JSON.stringify(params).replaceAll('"', '');
  return `${name} is not valid: ${keyword} ${limit} (${meaning})`;
}
