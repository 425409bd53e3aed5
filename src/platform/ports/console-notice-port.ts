/** What the machine's screen and serial consoles show above the login prompt. */
export interface ConsoleNotice {
  /** `null` takes the notice away. Rejects with an `Error` that names the file. */
  show(text: string | null): Promise<void>;
}
