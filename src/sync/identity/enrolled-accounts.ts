import { type CloudAccount, type CloudAccounts, enrolledAccount } from "./account.ts";
import type { Identities } from "./identities.ts";

/** The accounts of an enrolment: first a renewed key, then the current one. */
export class EnrolledAccounts implements CloudAccounts {
  readonly #identities: Pick<Identities, "current" | "next" | "observe" | "accepted" | "refused">;

  constructor(identities: Pick<Identities, "current" | "next" | "observe" | "accepted" | "refused">) {
    this.#identities = identities;
  }

  get registration(): CloudAccounts["registration"] {
    return this.#identities.current;
  }

  async offered(): Promise<readonly CloudAccount[]> {
    const { next, current } = this.#identities;
    return [next, current].filter((each) => each !== null).map(enrolledAccount);
  }

  observe(listener: () => void): Disposable {
    return this.#identities.observe(listener);
  }

  async accepted({ fingerprint }: CloudAccount): Promise<void> {
    if (fingerprint !== null) await this.#identities.accepted(fingerprint);
  }

  async refused({ fingerprint }: CloudAccount, reason: string): Promise<void> {
    if (fingerprint !== null) await this.#identities.refused(fingerprint, reason);
  }
}
