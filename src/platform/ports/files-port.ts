/** Text files that the configuration names. It stands with the other ports in `ports.ts`. */
export interface Files {
  /** As it is on disk now. Rejects with an `Error` that names the file and what is wrong with it. */
  read(path: string): Promise<string>;
}
