/** A note that an adapter stores about a device. */
export interface NoteRecord {
  readonly adapter: string;
  readonly deviceId: string;
  readonly name: string;
  readonly text: string;
}
