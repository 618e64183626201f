/** A deployable that has a user of its own at the brokers. */
export type CatalogUser = 'gateways' | 'live' | 'workers';

/** A topic of the log, as `catalog.json` describes it. */
export interface CatalogTopic {
  readonly output: string;
  readonly name: string;
  readonly description: string;
  readonly key: string;
  /** Title of the record schema that its values follow. */
  readonly record: string;
  readonly subject: string;
  /** Public ones keep their promises to consumers of a deployment; internal ones may change. */
  readonly visibility: 'public' | 'internal';
  readonly partitions: number;
  readonly cleanup: 'delete' | 'compact' | 'compact,delete';
  /** -1 keeps forever. */
  readonly retention_ms: number;
  readonly message_bytes_max: number;
  /** Deployables that may append to it and read it; scripts/topics.ts grants just that. */
  readonly written_by: readonly CatalogUser[];
  readonly read_by: readonly CatalogUser[];
  readonly headers: readonly string[];
  readonly headers_optional: readonly string[];
}

/** A parameter of an operation; `schema` is a file below `schemas/`. */
export interface CatalogParameter {
  /** Name on the wire where it is not the key in the catalog. */
  readonly name?: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: string;
  readonly example: string | number;
}

/** A response header. */
export interface CatalogHeader {
  readonly description: string;
  readonly type: 'string' | 'integer';
  readonly example: string | number;
}

/** What an operation answers with one status. `codes` are those of the kernel's table. */
export interface CatalogResponse {
  readonly description: string;
  readonly schema: string;
  readonly content_type: string;
  readonly headers: readonly string[];
  readonly codes: readonly string[];
  /** Another form of the same answer, in bytes; its example is in Base64. */
  readonly also_bytes?: {
    readonly content_type: string; readonly description: string; readonly example: string;
  };
  /** What the example of an error says, where it is not what its code usually says. */
  readonly says?: string;
}

/** The body of a request and its limits. */
export interface CatalogRequest {
  readonly schema: string;
  readonly content_type: string;
  /** True where the same fields may also come as a form. */
  readonly also_form?: boolean;
  readonly bytes_max: number;
  readonly depth_max: number;
  /** The list whose length has a limit of its own, answered with `payload_too_large`. */
  readonly items?: { readonly pointer: string; readonly max: number };
}

/** One operation of the interface. */
export interface CatalogOperation {
  readonly id: string;
  /** Number in the interface, or null for what we add to it. */
  readonly endpoint: number | null;
  readonly summary: string;
  /** What who calls it has to know besides, in one to three sentences. */
  readonly guide?: string;
  readonly tag: string;
  readonly server: 'base_url' | 'rtt_url' | 'provider_url';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly params: readonly string[];
  readonly authentication: 'basic' | 'bearer' | 'none';
  readonly audience: string | null;
  readonly scope: string | null;
  /** Scope with which a token of audience `platform` may call it too. */
  readonly platform_scope?: string;
  readonly request: CatalogRequest | null;
  readonly responses: Readonly<Record<string, CatalogResponse>>;
  /** Topic and facts that the call may append, or null. */
  readonly appends: { readonly topic: string; readonly facts: readonly string[] } | null;
  /** The operation that this is the dry run of; `dry-runs.ts` writes it, and no row of the file. */
  readonly dry_run_of?: string;
}

/** Who operates the endpoints of one base address. */
export interface CatalogServer {
  readonly description: string;
}

/** A header of a record: always text. */
export interface CatalogRecordHeader {
  readonly description: string;
  readonly example: string;
}

/** The whole of `schemas/catalog.json`, every response in full. */
export interface Catalog {
  readonly title: string;
  /** Version of the contract as a whole, for the generated documents. */
  readonly version: string;
  readonly servers: Readonly<Record<CatalogOperation['server'], CatalogServer>>;
  readonly parameters: Readonly<Record<string, CatalogParameter>>;
  readonly response_headers: Readonly<Record<string, CatalogHeader>>;
  readonly record_headers: Readonly<Record<string, CatalogRecordHeader>>;
  readonly topics: readonly CatalogTopic[];
  readonly operations: readonly CatalogOperation[];
}
