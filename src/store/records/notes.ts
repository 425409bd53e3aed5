/** What an adapter keeps of a device. */
export interface NoteRecord {
  readonly adapter: string;
  readonly deviceId: string;
  readonly name: string;
  readonly text: string;
}
