/**
 * Lint rules for every TypeScript file of the tree, with type information.
 * Kept: rules that find defects. Switched off: rules that only make people write clumsy code.
 */
import tseslint from 'typescript-eslint';
import { ownLines } from './own-lines.mjs';

const clockAndDice = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'No clock here: the time comes in as a value (style rule 5).',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'No clock here: the time comes in as a value (style rule 5).',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'No dice here: ids and jitter come in as values (style rule 5).',
  },
];

const topicNames = [
  {
    selector: 'Literal[value=/^[a-z]+([.-][a-z-]+)*[.]v[0-9]+$/]',
    message: 'No topic by its name: take it from TOPICS of the generated catalogue (style rule 12).',
  },
];

const oneHand = {
  semi: ['error', 'always'],
  quotes: ['error', 'single', { avoidEscape: true, allowTemplateLiterals: true }],
};

const sizes = {
  'max-lines': ['error', { max: 300 }],
  'local/own-lines': ['error', { own: 70, all: 150 }],
  'max-len': [
    'error',
    {
      code: 100,
      ignoreUrls: true,
      ignoreStrings: true,
      ignoreTemplateLiterals: true,
      ignoreRegExpLiterals: true,
    },
  ],
};

const defects = {
  eqeqeq: 'error',
  'no-console': 'error',
  'no-empty': ['error', { allowEmptyCatch: false }],
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: false },
  ],
  '@typescript-eslint/no-unused-vars': [
    'error',
    { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
  ],
};

const tolerance = {
  '@typescript-eslint/restrict-template-expressions': [
    'error',
    { allowNumber: true, allowBoolean: true, allowNullish: false },
  ],
  '@typescript-eslint/restrict-plus-operands': ['error', { allowNumberAndString: true }],
  '@typescript-eslint/no-confusing-void-expression': 'off',
  '@typescript-eslint/require-await': 'off',
  '@typescript-eslint/no-dynamic-delete': 'off',
  '@typescript-eslint/no-unnecessary-type-parameters': 'off',
  '@typescript-eslint/no-invalid-void-type': 'off',
  '@typescript-eslint/unified-signatures': 'off',
  '@typescript-eslint/prefer-reduce-type-parameter': 'off',
  '@typescript-eslint/no-unnecessary-condition': [
    'error',
    { allowConstantLoopConditions: 'only-allowed-literals' },
  ],
  '@typescript-eslint/no-misused-promises': [
    'error',
    { checksVoidReturn: { arguments: false, attributes: false } },
  ],
};

// Command lines are read in one way: services/adapters/command-line.
const oneParser = {
  'no-restricted-imports': ['error', {
    name: 'node:util', importNames: ['parseArgs'], message: 'Use services/adapters/command-line.',
  }],
};

// Tests poke at parts on purpose: matchers return any, fixtures are known to be there.
const testTolerance = {
  'local/own-lines': 'off',
  '@typescript-eslint/no-non-null-assertion': 'off',
  '@typescript-eslint/no-unsafe-assignment': 'off',
  '@typescript-eslint/unbound-method': 'off',
  '@typescript-eslint/no-unnecessary-condition': 'off',
  '@typescript-eslint/no-empty-function': 'off',
};

export default tseslint.config(
  { ignores: ['node_modules/**', '.rastro/**', 'coverage/**', 'schemas/generated/**', 'test/clients/**'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: process.cwd() },
    },
    plugins: { local: { rules: { 'own-lines': ownLines } } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: { ...defects, ...oneHand, ...sizes, ...tolerance, ...oneParser },
  },
  {
    files: ['services/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...topicNames] },
  },
  {
    files: ['services/domain/**/*.ts', 'services/kernel/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...clockAndDice, ...topicNames] },
  },
  {
    // They run in browsers, whose types no other file has.
    files: ['services/adapters/console/browser/**/*.ts'],
    languageOptions: {
      parserOptions: {
        project: './services/adapters/console/browser/tsconfig.json', tsconfigRootDir: process.cwd(),
      },
    },
  },
  { files: ['scripts/**/*.ts'], rules: { 'no-console': 'off' } },
  { files: ['test/**/*.ts'], rules: testTolerance },
  {
    files: ['**/*.mjs'],
    rules: { ...oneHand, 'max-lines': sizes['max-lines'], 'max-len': sizes['max-len'] },
  },
);
