/**
 * The layers of the product as rules: each name says the law, each comment says why.
 * `$1` is the folder captured by `from`. Every rule is an error: the exit code is the count.
 * test/unit/tidy/gates.test.ts seeds one violation of every rule and expects it by name.
 */
const composition = '^services/.*(^|/)(main|assemble[^/]*)\\.ts$';
const machine =
  '^(node:)?(net|tls|dgram|dns|http|https|http2|fs|child_process|cluster|worker_threads|os)(/|$)';
/** They write and check what the product is deployed with, so that they read the product. */
const infraTools = '^infra/(generate|check)/';

/** A rule that fails the build. */
const law = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const graph = [
  law('no-cycles', 'A circle of files cannot be read from any end.', {}, { circular: true }),
  law(
    'no-orphans',
    'A file that no file imports is dead, unless a person, a tool or a process starts it.',
    {
      orphan: true,
      pathNot: [composition, '^(scripts|test|infra)/', '^schemas/generated/', '\\.d\\.ts$'],
    },
    {},
  ),
  law('imports-resolve', 'What cannot be found cannot be checked.', {}, { couldNotResolve: true }),
];

const core = [
  law(
    'kernel-is-leaf',
    'The vocabulary depends on nothing but the types of the contract, so every layer may use it.',
    { path: '^services/kernel/' },
    { pathNot: '^(services/kernel/|schemas/generated/types\\.ts$)' },
  ),
  law(
    'domain-is-pure',
    'Deciders see no clock, no library and no machine: replay gives the same answer.',
    { path: '^services/domain/' },
    { pathNot: '^(services/(domain|kernel)|schemas/generated)/' },
  ),
  law(
    'aggregates-are-strangers',
    'Each aggregate is consistent alone; they meet only through facts. Personal is none.',
    { path: '^services/domain/([^/]+)/' },
    { path: '^services/domain/', pathNot: '^services/domain/($1/|personal/|[^/]+$)' },
  ),
];

const adapters = [
  law(
    'adapters-are-strangers',
    'A technology can be replaced only if its neighbours do not lean on it; signals, the cipher '
      + 'and lists of its keys serve all.',
    { path: '^services/adapters/([^/]+)/' },
    {
      path: '^services/adapters/',
      pathNot: '^services/adapters/(($1|signals)/|secrets/(cipher|key-list)\\.ts$)',
    },
  ),
  law(
    'state-over-the-store',
    'What is known now is folded by the domain into entries of a port: no technology, no caller.',
    { path: '^services/state/' },
    { pathNot: '^(services/(state|domain|kernel)/|schemas/generated/types\\.ts$|(node:)?crypto$)' },
  ),
  law(
    'operator-over-ports',
    'What operators do has the same rules whichever way they ask: it knows neither way.',
    { path: '^services/operator/' },
    { pathNot: '^(services/(operator|domain|kernel)|schemas/generated)/' },
  ),
  law(
    'only-main-wires-state',
    'Handlers see ports; which store serves them is chosen in the composition root.',
    { path: '^services/', pathNot: `^services/state/|${composition}` },
    { path: '^services/state/' },
  ),
  law(
    'adapters-know-no-business',
    'Adapters serve ports of the kernel; what is decided over them is not their matter.',
    { path: '^services/adapters/' },
    { path: '^services/', pathNot: '^services/(adapters|kernel)/' },
  ),
  law(
    'only-main-wires-adapters',
    'Concrete technology is chosen in one place per deployable, its composition root. The parser '
      + 'of command lines is no choice of a deployment.',
    {
      path: '^services/(gateways|workers|provider|cli|conformance)/',
      pathNot: composition,
    },
    { path: '^services/adapters/', pathNot: '^services/adapters/command-line/' },
  ),
  law(
    'libraries-stay-in-adapters',
    'A client library is known in one room only, so that it can be exchanged there.',
    { path: '^(services|schemas)/', pathNot: '^services/(adapters/|provider/http/server\\.ts$)' },
    { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg'] },
  ),
  law(
    'signals-stay-in-their-room',
    'Lines and metrics are written through the table of signals, so that no name is lost.',
    { path: '^(services|infra)/', pathNot: '^services/adapters/signals/' },
    { path: '(^|/)node_modules/(pino|prom-client)/' },
  ),
  law(
    'machine-stays-in-adapters',
    'Sockets, files and processes are technology too.',
    { path: '^services/(gateways|workers)/', pathNot: composition },
    { dependencyTypes: ['core'], path: machine },
  ),
  law(
    'no-tools-in-production',
    'What runs in production must be a dependency, not a development tool.',
    { path: '^services/' },
    { dependencyTypes: ['npm-dev'] },
  ),
];

const deployables = [
  law(
    'deployables-are-strangers',
    'What is deployed apart meets over the wire, never by import.',
    { path: '^services/(gateways|workers|provider|cli|conformance)/' },
    {
      path: '^services/(gateways|workers|provider|cli|conformance)/',
      pathNot: '^services/($1/|conformance/assemble\\.ts$|workers/workers\\.ts$)',
    },
  ),
  law(
    'only-the-command-line-runs-the-kit',
    'The conformance kit plays a stranger: nothing that serves or works may lean on it. What '
      + 'examines parties is handed it by its composition root.',
    {
      path: '^services/(gateways|workers|provider)/',
      pathNot: '^services/workers/assemble-parties\\.ts$',
    },
    { path: '^services/conformance/' },
  ),
  law(
    'kits-are-alone',
    'A client kit is installed without the product: it has no dependency but its own files.',
    { path: '^services/clients/' },
    { pathNot: '^services/clients/', dependencyTypesNot: ['core'] },
  ),
  law(
    'only-tests-use-the-kits',
    'The product plays no client of itself through a kit that others install.',
    { path: '^(services|schemas|infra)/', pathNot: '^services/clients/' },
    { path: '^services/clients/' },
  ),
  law(
    'gateways-and-workers-are-strangers',
    'One gateway or worker can be run without the others; they share only what is in common/.',
    { path: '^services/(gateways|workers)/([^/]+)/' },
    { path: '^services/$1/[^/]+/', pathNot: '^services/$1/($2|common)/' },
  ),
  law(
    'only-main-runs-a-process',
    'What a process opens is handed to its parts by the composition root.',
    { path: '^services/(gateways|workers|provider|cli|conformance)/', pathNot: composition },
    { path: '^services/process/' },
  ),
  law(
    'parts-of-a-worker-are-strangers',
    'A part of the projector or of the worker for parties can be run without the others.',
    { path: '^services/workers/(projector|parties)/([^/]+)/' },
    { path: '^services/workers/$1/[^/]+/', pathNot: '^services/workers/$1/($2|common)/' },
  ),
  law(
    'nobody-imports-scripts-or-tests',
    'The product stands without its tools and without its proofs.',
    { path: '^(services|schemas|infra)/', pathNot: infraTools },
    { path: '^(scripts|test)/' },
  ),
  law(
    'stack-is-alone',
    'The local stack is started before the product and must not need it.',
    { path: '^infra/local/[^/]+$' },
    { path: '^(services|schemas)/|^infra/(kafka|clickhouse|generate|check|local/[^/]+)/' },
  ),
  law(
    'checker-is-foreign',
    'The checker of the product shares no code with it, or both would be wrong together.',
    { path: '^test/faults/checker/' },
    { path: '^services/' },
  ),
  law(
    'services-know-no-infra',
    'Services know addresses, not how the parts behind them were started.',
    { path: '^services/' },
    { path: '^infra/' },
  ),
];

module.exports = {
  forbidden: [...graph, ...core, ...adapters, ...deployables],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Their imports are there once a client is generated; `npm run check:clients` compiles them.
    exclude: { path: '^test/clients/' },
    // Sees type-only imports too: a layer crossed by a type is a layer crossed.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
