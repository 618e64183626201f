/** A schema as it `schemas/bundles.ts` makes it: self-contained, draft 2020-12. */
export type BundledSchema = Readonly<Record<string, unknown>>;
