import type { Mail, MailError, Mailer, MailServer } from "../platform/ports/mail-port.ts";

/** A mail server in memory, which takes everything until it is to fail. */
export class MemoryMailer implements Mailer {
  readonly sent: { readonly server: MailServer; readonly mail: Mail }[] = [];
  /** Each mail fails with it. */
  failure: MailError | null = null;

  async send(server: MailServer, mail: Mail, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.failure !== null) throw this.failure;
    this.sent.push({ server, mail });
  }
}
