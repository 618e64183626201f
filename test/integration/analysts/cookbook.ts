import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResultRow } from '../../../services/adapters/clickhouse/clickhouse.ts';
import type { History } from '../clickhouse/history.ts';
import { createAnalystData } from './analyst-data.ts';
import type { Expectation } from './expectations.ts';
import { allExpectations } from './more-expectations.ts';
import { createOfficeData } from './office-data.ts';
import { OF_THE_OFFICE } from './office-expectations.ts';
import { OF_SHIPMENTS } from './shipment-expectations.ts';

/** Where the queries and their pages are. */
export const FOLDER = join(process.cwd(), 'docs', 'queries');

/** Every query of the cookbook. */
export const NAMES: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql')).map((name) => name.slice(0, -'.sql'.length));

/** A query with what is expected of it, and the database that it is asked of. */
export interface Recipe {
  readonly name: string;
  readonly expectation: Expectation;
  /** The rows of its answer; it is asked once. */
  ask(): Promise<readonly ResultRow[]>;
}

/** All recipes, and the databases that they need. */
export interface Cookbook {
  readonly recipes: ReadonlyMap<string, Recipe>;
  drop(): Promise<void>;
}

/** Those who ask, and what, as the list of the cookbook has it. */
export interface AskerGroup {
  readonly title: string;
  readonly page: string;
  readonly questions: readonly (readonly [name: string, question: string])[];
}

/** The text of a query. */
export const sqlOf = (name: string): string => readFileSync(join(FOLDER, `${name}.sql`), 'utf8');

/** Recorded drives in one database, and what the test made up in another. */
export async function createCookbook(): Promise<Cookbook> {
  const data = await createAnalystData();
  const office = await createOfficeData();
  const recipesOf = (expectations: Readonly<Record<string, Expectation>>, history: History) => (
    Object.entries(expectations).map(([name, expectation]): [string, Recipe] => {
      let rows: Promise<readonly ResultRow[]> | undefined;
      return [name, {
        name, expectation,
        ask: () => rows ??= history.analyst.query(sqlOf(name), expectation.parameters),
      }];
    })
  );
  return {
    recipes: new Map([
      ...recipesOf(allExpectations(data), data.history),
      ...recipesOf({ ...OF_SHIPMENTS, ...OF_THE_OFFICE }, office),
    ]),
    async drop() {
      await data.history.drop();
      await office.drop();
    },
  };
}

/** The groups of the list, in its order. */
export function groupsOf(list: string): readonly AskerGroup[] {
  return list.split(/^## /m).slice(1).map((section) => {
    const [title = ''] = section.split('\n', 1);
    const rows = section.matchAll(/^\| \[(.+)\]\(\1\.sql\) \| (.+) \|$/gm);
    return {
      title, page: `${title.toLowerCase().replaceAll(' ', '-')}.md`,
      questions: [...rows].map(([, name = '', question = '']) => [name, question] as const),
    };
  });
}
