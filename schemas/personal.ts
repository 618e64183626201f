import { isJsonObject, type JsonObject, type SchemaFile, type SchemaFiles } from './files.ts';
import { inlined, PERSONAL_WORD } from './inline.ts';

/** A personal member of a record: where it is, what it is, and what it is for. */
export interface PersonalMember {
  readonly path: string;
  readonly class: string;
  readonly purpose: string;
}

/** What the annotations of one record say. */
export interface PersonalRecordSchema {
  readonly record: string;
  readonly subject: string;
  readonly readers: readonly string[];
  readonly personal: readonly PersonalMember[];
  /** Paths of the members that stay in clear. */
  readonly clear: readonly string[];
}

/** A member that may point to a person and is not sealed all the same. */
export interface OpenMember {
  readonly record: string;
  readonly path: string;
  readonly reason: string;
}

interface Found {
  readonly personal: PersonalMember[];
  readonly clear: string[];
  readonly open: Omit<OpenMember, 'record'>[];
  /** Members that say nothing. */
  readonly silent: string[];
}

/**
 * Reads which members of records are personal from their annotations. Throws when a member of a
 * sealed part says nothing: a new member must not stay in clear, or be sealed, by accident.
 */
export function personalRecords(source: SchemaFiles): readonly PersonalRecordSchema[] {
  return recordsOf(source).flatMap(({ record, schema }) => {
    const head = schema[PERSONAL_WORD];
    if (!isJsonObject(head)) return [];
    const found = emptyFound();
    addListed(head, '', found);
    for (const [name, member] of sealedMembersOf(schema)) addMember(source, member, name, found);
    const [silent] = found.silent;
    if (silent !== undefined) {
      throw new Error(`${record}: ${silent} does not say by ${PERSONAL_WORD} whether it is personal.`);
    }
    const readers = head['readers'] as readonly string[];
    const { personal, clear } = found;
    return [{ record, subject: String(head['subject']), readers, personal, clear }];
  });
}

/** Members of all records that are open with a reason. */
export function openMembers(source: SchemaFiles): readonly OpenMember[] {
  return recordsOf(source).flatMap(({ record, schema }) => {
    const found = emptyFound();
    for (const [name, member] of Object.entries(membersOf(schema))) {
      addMember(source, member, name, found);
    }
    return found.open.map((open) => ({ record, ...open }));
  });
}

function recordsOf(source: SchemaFiles): readonly { record: string; schema: JsonObject }[] {
  return source.files.flatMap((file) => (
    file.room === 'records' && file.title !== undefined
      ? [{ record: file.title, schema: annotated(source, file) }] : []
  ));
}

function annotated(source: SchemaFiles, file: SchemaFile): JsonObject {
  return inlined(source, file, []);
}

/** The members of a record that are sealed in whole or in part; the rest of it stays in clear. */
function sealedMembersOf(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(membersOf(schema)).filter(([name, member]) => (
    name !== 'personal' && JSON.stringify(member).includes(`"${PERSONAL_WORD}"`)
  ));
}

function addMember(
  source: SchemaFiles, schema: JsonObject, path: string, found: Found,
): void {
  const says = schema[PERSONAL_WORD];
  if (says === false) found.clear.push(...leavesOf(schema, path));
  else if (isJsonObject(says)) addAnnotation(source, says, path, found);
  else addBelow(source, schema, path, found);
}

function addAnnotation(
  source: SchemaFiles, says: JsonObject, path: string, found: Found,
): void {
  const { class: kind, purpose, open, as } = says;
  if (typeof kind === 'string') found.personal.push({ path, class: kind, purpose: String(purpose) });
  if (typeof open === 'string') found.open.push({ path, reason: open });
  addListed(says, `${path}.`, found);
  if (typeof as !== 'string') return;
  const file = source.files.find(({ title }) => title === as);
  if (file === undefined) throw new Error(`${path}: there is no schema with the title ${as}.`);
  addBelow(source, annotated(source, file), path, found);
}

/** Members that have no schema of their own, listed by their paths. */
function addListed({ members }: JsonObject, prefix: string, found: Found): void {
  if (!isJsonObject(members)) return;
  for (const [name, says] of Object.entries(members)) {
    const path = `${prefix}${name}`;
    if (!isJsonObject(says)) found.clear.push(path);
    else found.personal.push({
      path, class: String(says['class']), purpose: String(says['purpose']),
    });
  }
}

function addBelow(source: SchemaFiles, schema: JsonObject, path: string, found: Found): void {
  const { items } = schema;
  const members = Object.entries(membersOf(schema));
  for (const [name, member] of members) addMember(source, member, `${path}.${name}`, found);
  if (isJsonObject(items)) addMember(source, items, `${path}[]`, found);
  else if (members.length === 0) found.silent.push(path);
}

/** The paths of what a member consists of: its items, its members, or itself. */
function leavesOf(schema: JsonObject, path: string): readonly string[] {
  const members = Object.entries(membersOf(schema));
  if (members.length > 0) {
    return members.flatMap(([name, member]) => leavesOf(member, `${path}.${name}`));
  }
  const { items } = schema;
  return isJsonObject(items) ? leavesOf(items, `${path}[]`) : [path];
}

function membersOf({ properties }: JsonObject): Readonly<Record<string, JsonObject>> {
  return isJsonObject(properties) ? properties as Record<string, JsonObject> : {};
}

function emptyFound(): Found {
  return { personal: [], clear: [], open: [], silent: [] };
}
