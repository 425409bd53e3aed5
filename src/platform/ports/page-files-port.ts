/** The files of the home page, as the build made them. It stands with the other ports in `ports.ts`. */
export interface PageFiles {
  /** Returns the file as it is; `null` if the build made no such file. Rejects if it cannot be read. */
  read(name: string): Promise<Uint8Array | null>;
}
