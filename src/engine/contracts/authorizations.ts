import type { Write } from "../../store/records.ts";

/** Whether what a user signed in with at a vendor is accepted there (rule I3.4). Valid until refused. */
export interface Authorizations {
  isValid(userId: string, vendor: string): boolean;
  /** A device of the vendor refused the credentials. Stored with its event; the assets show it when it resolves. */
  invalidate(userId: string, vendor: string, deviceId: string): Promise<void>;
  /** The device took the credentials that it has now. Valid again once no device refuses them. */
  accept(deviceId: string): Promise<void>;
  /** The devices that refuse the credentials. */
  refusing(userId: string, vendor: string): readonly string[];
  /** What makes the authorization valid again, for the commit that stores new credentials; then call `refresh`. */
  restoring(userId: string, vendor: string): readonly Write[];
  /** New credentials for all of a user's devices of a vendor: valid from now on. */
  restore(userId: string, vendor: string): Promise<void>;
  /** Calls the listener after validity changed; it returns at once. Disposing ends it. */
  observe(listener: (userId: string, vendor: string) => void): Disposable;
}
