/** What the scanner's module exports: its memory, its one function, and where everything lies. */
export interface ScannerModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly scan: (lengthBytes: number) => number;
  /** Value of a constant of `source/layout.as`; throws when the module has none of that name. */
  readonly constant: (name: string) => number;
}

interface WebAssemblyHost {
  readonly Module: new (binary: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => {
    readonly exports: Readonly<Record<string, unknown>>;
  };
}

// The types of the language know no WebAssembly; the runtime does.
const host = globalThis as unknown as { readonly WebAssembly: WebAssemblyHost };

/** Makes one instance with a memory of its own. Throws when the binary is no scanner. */
export function instantiate(binary: Uint8Array): ScannerModule {
  const { WebAssembly } = host;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary), {});
  return {
    memory: exports['memory'] as ScannerModule['memory'],
    scan: exports['scan'] as ScannerModule['scan'],
    constant(name) {
      const { value } = (exports[name] ?? {}) as { value?: unknown };
      if (typeof value !== 'number') throw new Error(`The scanner exports no constant ${name}.`);
      return value;
    },
  };
}
