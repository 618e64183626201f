import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODES } from '../../../services/kernel/codes.ts';
import {
  pagesWithExamples, readExamples, type DecisionExamples, type Example,
} from '../../support/decisions/read-examples.ts';

/** Decisions that no call can show; a new one needs a good reason. */
const ELSEWHERE_MAX = 12;
const STATUSES = '200|201|202|208|400|401|403|404|429|500';
/** A status in a sentence; "400 days" and "at most 500" are none. */
const STATUS = new RegExp(`(?<!at most |burst |[\\d.,-])(?:${STATUSES})(?![\\d.,-]?\\d|\\s[a-z]+s\\b)`, 'g');

const decisions = readExamples();

interface Section {
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** The headings of every page, each with its first paragraph, which says what was decided. */
function sections(): readonly Section[] {
  return readdirSync('docs/decisions').filter((file) => file.endsWith('.md')).flatMap((file) => {
    const [, ...parts] = readFileSync(`docs/decisions/${file}`, 'utf8').split(/^## /m);
    return parts.map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      const text = lines.join('\n').split(/\n\n(?:Rows|Tests):/)[0] ?? '';
      return { page: file.replace(/\.md$/, ''), heading, text };
    });
  });
}

function examplesOf({ page, heading }: Section): DecisionExamples | undefined {
  return decisions.find((each) => each.page === page && each.heading === heading);
}

/** All that examples say about answers, as one text. */
function answersOf(examples: readonly Example[]): string {
  return JSON.stringify(examples.map(({ steps }) => steps));
}

describe('docs/decisions/examples', () => {
  it('has a file for every page', () => {
    const pages = new Set(sections().map(({ page }) => page));
    expect(pagesWithExamples()).toEqual([...pages].toSorted());
  });

  it('shows every decision, and none that no page has', () => {
    const nameOf = ({ page, heading }: { page: string; heading: string }): string =>
      `${page}: ${heading}`;
    expect(decisions.map(nameOf).toSorted()).toEqual(sections().map(nameOf).toSorted());
  });

  it('names an existing test for what no call can show, and few of them', () => {
    const elsewhere = decisions.flatMap((each) => (each.elsewhere ? [each.elsewhere] : []));
    expect(elsewhere.length).toBeLessThanOrEqual(ELSEWHERE_MAX);
    expect(elsewhere.filter(({ test, title }) => !readFileSync(test, 'utf8').includes(title)))
      .toEqual([]);
  });

  it('gives every status that a decision speaks of as an answer of one of its examples', () => {
    expect(missing(({ text }) => text.replaceAll(/`[^`]*`/g, '').match(STATUS) ?? [])).toEqual([]);
  });

  it('gives every error code that a decision names as an answer of one of its examples', () => {
    const known = new Set(Object.keys(CODES));
    expect(missing(({ text }) => [...text.matchAll(/`([a-z_.]+)`/g)]
      .map(([, code = '']) => code).filter((code) => known.has(code)))).toEqual([]);
  });
});

/** What a page says and no example has; decisions that are shown elsewhere apart. */
function missing(saidOf: (section: Section) => readonly string[]): readonly string[] {
  return sections().flatMap((section) => {
    const found = examplesOf(section);
    if (found === undefined || found.elsewhere !== undefined) return [];
    const answers = answersOf(found.examples);
    return saidOf(section).filter((said) => !new RegExp(`\\b${said}\\b`).test(answers))
      .map((said) => `${section.page}: ${section.heading} says ${said}`);
  });
}
