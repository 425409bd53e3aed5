import type { Write } from "../../store/records.ts";

/** The authorization of users at vendors: valid until a device refuses the credentials (rule I3.4). */
export interface Authorizations {
  isValid(userId: string, vendor: string): boolean;
  /** Stores, with its event, that a device refused the credentials. The assets show it when the promise resolves. */
  invalidate(userId: string, vendor: string, deviceId: string): Promise<void>;
  /** Records that a device accepted its credentials. The authorization is valid again once no device refuses them. */
  accept(deviceId: string): Promise<void>;
  /** Returns the ids of the devices that refuse the credentials. */
  refusing(userId: string, vendor: string): readonly string[];
  /** Returns the writes that restore the authorization, for the commit with new credentials. Call `refresh` after it. */
  restoring(userId: string, vendor: string): readonly Write[];
  /** Stores that all of a user's devices of a vendor have new credentials. */
  restore(userId: string, vendor: string): Promise<void>;
  /** Calls the listener after validity changed; it must return at once. Disposing the result unsubscribes. */
  observe(listener: (userId: string, vendor: string) => void): Disposable;
}
