import { instant } from "../../domain/fields.ts";
import type { VendorAccountView } from "../../domain/vendor-account-view.ts";
import type { VendorAccount } from "../../sdk/vendor-account.ts";

export function viewOf(account: VendorAccount, vendor: string, displayName: string): VendorAccountView {
  const { vendorId: _id, vendorsFault: _fault, lastAnswerMs, nextPollMs, failed, quotas, ...rest } = account;
  return {
    vendor,
    displayName,
    ...rest,
    failed: { ...failed },
    lastAnswerAt: lastAnswerMs === null ? null : instant(lastAnswerMs),
    nextPollAt: nextPollMs === null ? null : instant(nextPollMs),
    quotas: quotas.map((quota) => ({ ...quota })),
  };
}
