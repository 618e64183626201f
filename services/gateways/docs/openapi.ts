/** The parts of an OpenAPI document that the page shows. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, OpenApiPath>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, OpenApiParameter>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly schemas: Readonly<Record<string, unknown>>;
  };
}

/** What can be asked at one address. */
export interface OpenApiPath {
  readonly get?: OpenApiOperation;
  readonly post?: OpenApiOperation;
}

/** One operation. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly $ref: string }[];
  readonly requestBody?: {
    readonly description: string; readonly content: Readonly<Record<string, OpenApiMedia>>;
  };
  readonly responses: Readonly<Record<string, {
    readonly description: string;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly content: Readonly<Record<string, OpenApiMedia>>;
  }>>;
}

/** A parameter of an operation. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly example: unknown;
}

/** A body with its shape and an example; one of bytes says in words how they lie. */
export interface OpenApiMedia {
  readonly schema: OpenApiReference | { readonly contentSchema: OpenApiReference } | OpenApiBytes;
  readonly example: unknown;
}

/** What is no JSON. */
interface OpenApiBytes { readonly format: string; readonly description: string }

/** A reference within the document. */
export interface OpenApiReference { readonly $ref: string }

/** The shape of a body, of a stream that of its events; or what is said of bytes. */
export function shapeOf({ schema }: OpenApiMedia): OpenApiReference | OpenApiBytes {
  return 'contentSchema' in schema ? schema.contentSchema : schema;
}

/** The last name of a reference within the document. */
export function nameOf(reference: OpenApiReference): string {
  return reference.$ref.split('/').at(-1) ?? '';
}
