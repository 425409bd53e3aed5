/** A note that an adapter stores about an account; it may contain credentials. */
export interface AccountNoteRecord {
  readonly adapter: string;
  readonly account: string;
  readonly name: string;
  readonly text: string;
}
