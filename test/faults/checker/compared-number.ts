/** What no one sees between the characters of a number. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The form in which a tracking number is compared, written again from decisions.md (Form of a
 * tracking number): full-width characters as plain ones, in upper case, nothing unseen, no blanks
 * around. One of which nothing is left stays as it was sent.
 */
export function comparedNumber(sent: string): string {
  const form = sent.normalize('NFKC').replace(UNSEEN, '').toUpperCase().normalize('NFKC').trim();
  return form === '' ? sent.trim() : form;
}
