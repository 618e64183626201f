import { PERSONAL_MEMBERS } from '../../../schemas/generated/personal.ts';
import type {
  NotificationCodeMeaning, NotificationCodesRecorded,
} from '../../../schemas/generated/types.ts';
import { FINAL_STATUSES } from '../../domain/journey/catalogue.ts';
import { pointerStep } from '../../kernel/json-duplicates.ts';

const { personal, clear } = PERSONAL_MEMBERS.NotificationRecorded;
const SEALED = personal.map(({ path }) => pointerOf(path));
const CLEAR = clear.map(pointerOf).filter((pointer) => pointer.startsWith('/payload/'));

/** What the schema cannot say of a catalogue: each fault with its place in the file. */
export function findFaults(
  { codes, carriers = {} }: NotificationCodesRecorded, interfaceCodes: readonly string[],
): readonly string[] {
  const known = new Set([...Object.keys(codes), ...interfaceCodes]);
  return [
    ...Object.entries(codes).flatMap(([code, meaning]) => (
      faultsOfCode(`/codes/${pointerStep(code)}`, meaning)
    )),
    ...Object.entries(carriers).flatMap(([carrier, pairs]) => (
      Object.entries(pairs).flatMap(([code, own]) => {
        const at = `/carriers/${carrier}/${pointerStep(code)}`;
        return known.has(code) ? repeatsOf(at, own) : [
          `${at} names a code that is not in /codes: no notification would ever match it.`,
        ];
      })
    )),
  ];
}

function faultsOfCode(
  at: string, { status = '', final, required = [] }: NotificationCodeMeaning,
): readonly string[] {
  return [
    ...(final === false && FINAL_STATUSES.includes(status)
      ? [`${at}/final must be true: the status ${status} ends a shipment.`] : []),
    ...required.flatMap((pointer, index) => pointerFaults(`${at}/required/${index}`, pointer)),
    ...repeatsOf(`${at}/required`, required),
  ];
}

/** A field that is sealed or that no notification has in clear would always be missing. */
function pointerFaults(at: string, pointer: string): readonly string[] {
  if (CLEAR.some((each) => isWithin(each, pointer))) return [];
  if (SEALED.some((sealed) => isWithin(pointer, sealed))) {
    return [`${at} must not name ${pointer}: it is sealed before it is read.`];
  }
  const group = `${pointer.split('/', 3).join('/')}/`;
  const near = CLEAR.filter((each) => each.startsWith(group));
  return [`${at} must not name ${pointer}: no notification can match it. `
    + `Possible are ${(near.length === 0 ? CLEAR : near).join(' ')}.`];
}

function repeatsOf(at: string, items: readonly string[]): readonly string[] {
  return items.flatMap((item, index) => (
    items.indexOf(item) === index ? [] : [`${at}/${index} repeats ${item}.`]
  ));
}

function isWithin(pointer: string, outer: string): boolean {
  return `${pointer}/`.startsWith(`${outer}/`);
}

function pointerOf(path: string): string {
  return path.replace(/^notification/, '').replace(/\[\]$/, '').replaceAll('.', '/')
    .replace(/^\/?/, '/');
}
