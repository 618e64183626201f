/**
 * Keeps secrets that must be shown to others, so that the log and the state store hold only sealed
 * texts. Opening what was sealed with another key throws: that is a wrong configuration.
 */
export interface Vault {
  seal(text: string): string;
  open(sealed: string): string;
}
