/**
 * Runs retext over pieces of prose: JSON `[{path, line, text}]` on standard input, offences as JSON
 * on standard output. Plain JavaScript, because it is started as a program of its own.
 */
import retextEnglish from 'retext-english';
import retextPassive from 'retext-passive';
import retextRepeatedWords from 'retext-repeated-words';
import { unified } from 'unified';

const LIMITS = { wordsMax: 40, wordsMaxWithPassives: 24, passivesMax: 1 };

const CODE_SIGNS_MIN = 4;

const parser = unified().use(retextEnglish);
const linter = unified()
  .use(retextEnglish)
  .use(retextPassive)
  .use(retextRepeatedWords)
  .use(function compileNothing() { this.compiler = () => ''; });

/** Texts in another language than English: markup, SQL, calls of curl. */
const CODE = /^\s*(<[a-z!?]|(SELECT|WITH|INSERT|CREATE) )|> <[a-z]| -X (GET|POST|PUT|DELETE) /;

/** Offences of one piece: each has a rule, a line and what to do. */
function lint({ path, line, text }) {
  if (CODE.test(text)) return [];
  const plain = text
    .replace(/`[^`]*`/g, 'Code').replace(/https?:\S+/g, 'Link').replace(/[*_]{1,2}/g, '')
    // A row of a list in columns (`name   meaning`) is a sentence of its own.
    .replace(/^\s*(\S+) {2,}(?=\S)/gm, '. The $1: ');
  const file = linter.processSync(plain);
  const passives = [];
  const offences = [];
  for (const message of file.messages) {
    const at = message.place?.start ?? message.place;
    if (message.source === 'retext-passive') passives.push(at.offset);
    else if (isSaidTwice(message.actual)) {
      offences.push({
        rule: 'word twice', path, line: line + at.line - 1, says: message.actual,
        instead: 'leave one out',
      });
    }
  }
  for (const sentence of sentencesOf(parser.parse(plain))) {
    const { start, end } = sentence.position;
    const words = countWords(sentence);
    const said = plain.slice(start.offset, end.offset);
    const hidden = passives.filter((at) => at >= start.offset && at < end.offset).length;
    const isLong = words > LIMITS.wordsMax;
    const hidesActors = words > LIMITS.wordsMaxWithPassives && hidden > LIMITS.passivesMax
      && !/\bby\b/.test(said);
    if ((!isLong && !hidesActors) || isCode(said)) continue;
    offences.push({
      rule: isLong ? 'long sentence' : 'hidden actor', path, line: line + start.line - 1,
      says: `${said.slice(0, 50).replaceAll('\n', ' ')}… (${words} words)`,
      instead: isLong ? 'make two sentences' : 'say who acts',
    });
  }
  return offences;
}

/** Styles, scripts and JSON in a text: many signs that a sentence does not have. */
function isCode(said) {
  return (said.match(/[{}=]|":/g) ?? []).length >= CODE_SIGNS_MIN;
}

/** `--name NAME` in a usage text is no doubled word, nor are two pieces of code. */
function isSaidTwice(said) {
  const [one, other] = said.split(/\s+/);
  return one === other && !/^(Code|Link)$/.test(one);
}

function sentencesOf(tree) {
  return tree.children.flatMap((node) => (
    node.type === 'ParagraphNode' ? node.children.filter((child) => child.type === 'SentenceNode') : []
  ));
}

function countWords(sentence) {
  return sentence.children.filter((node) => node.type === 'WordNode').length;
}

const input = [];
for await (const chunk of process.stdin) input.push(chunk);
const pieces = JSON.parse(Buffer.concat(input).toString('utf8'));
process.stdout.write(JSON.stringify(pieces.flatMap(lint)));
