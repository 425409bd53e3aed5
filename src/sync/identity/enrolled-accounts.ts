import { type CloudAccount, type CloudAccounts, enrolledAccount } from "./account.ts";
import type { Identities } from "./identities.ts";

/** What an enrolment gave, a renewed key first. */
export class EnrolledAccounts implements CloudAccounts {
  readonly #identities: Pick<Identities, "current" | "next" | "observe" | "worked" | "refused">;

  constructor(identities: Pick<Identities, "current" | "next" | "observe" | "worked" | "refused">) {
    this.#identities = identities;
  }

  get place(): CloudAccounts["place"] {
    return this.#identities.current;
  }

  async offered(): Promise<readonly CloudAccount[]> {
    const { next, current } = this.#identities;
    return [next, current].filter((each) => each !== null).map(enrolledAccount);
  }

  observe(listener: () => void): Disposable {
    return this.#identities.observe(listener);
  }

  async worked({ fingerprint }: CloudAccount): Promise<void> {
    if (fingerprint !== null) await this.#identities.worked(fingerprint);
  }

  async refused({ fingerprint }: CloudAccount, reason: string): Promise<void> {
    if (fingerprint !== null) await this.#identities.refused(fingerprint, reason);
  }
}
