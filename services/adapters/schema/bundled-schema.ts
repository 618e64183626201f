/** A schema as it stands in the generated bundles: self-contained, draft 2020-12. */
export type BundledSchema = Readonly<Record<string, unknown>>;
