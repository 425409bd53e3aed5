/** Asks the program that updates the package, which has the rights that the gateway has not. */
export interface UpdateRequests {
  /**
   * Asks to look for a later version, or to update to it. Rejects with an `Error` if the last request was not taken, or if it cannot
   * be written.
   */
  request(what: UpdateRequest): Promise<void>;
}

export type UpdateRequest = "check" | "install";
