/** What an adapter keeps of an account, credentials among it. */
export interface AccountNoteRecord {
  readonly adapter: string;
  readonly account: string;
  readonly name: string;
  readonly text: string;
}
