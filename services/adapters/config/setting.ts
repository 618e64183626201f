/** One setting: an environment variable with its type, bounds, default and meaning. */
export interface Setting {
  /** `list` is comma-separated text. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'list';
  readonly description: string;
  readonly default?: string | number | boolean | readonly string[];
  /** True when the setting may be absent without a default. */
  readonly optional?: true;
  /** True for what must never be shown. */
  readonly secret?: true;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
}

/** The settings of one deployable, by the names of their environment variables. */
export type Settings = Readonly<Record<string, Setting>>;

/** Type of the value that a setting has after reading. */
type ValueOf<S extends Setting> =
  | (S['type'] extends 'string' ? string
    : S['type'] extends 'boolean' ? boolean
      : S['type'] extends 'list' ? readonly string[] : number)
  | (S['optional'] extends true ? undefined : never);

/** The configuration that settings describe; keys are the names of the variables. */
export type ConfigOf<S extends Settings> = { readonly [Name in keyof S]: ValueOf<S[Name]> };
