/** A text of a body that is too long to be handled in one piece. */
export interface LongText {
  /** Valid JSON as it was sent, without the quotes around it. */
  readonly written: Uint8Array;
  /** True when something in it is escaped. */
  readonly hasEscapes: boolean;
}

/** The long texts of a body by their stand-ins, which are in its value in their place. */
export type LongTexts = ReadonlyMap<string, LongText>;
