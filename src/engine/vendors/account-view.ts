import { instantOrNull } from "../../domain/fields.ts";
import type { VendorAccountView } from "../../domain/vendors/vendor-account-view.ts";
import type { VendorAccount } from "../../sdk/vendor-account.ts";

export function viewOf(account: VendorAccount, vendor: string, displayName: string): VendorAccountView {
  const { vendorId: _id, vendorsFault: _fault, lastAnswerMs, nextPollMs, failed, quotas, stream, ...rest } = account;
  return {
    vendor,
    displayName,
    ...rest,
    failed: { ...failed },
    lastAnswerAt: instantOrNull(lastAnswerMs),
    nextPollAt: instantOrNull(nextPollMs),
    quotas: quotas.map((quota) => ({ ...quota })),
    stream: stream && {
      isConnected: stream.isConnected,
      since: instantOrNull(stream.sinceMs),
      lastMessageAt: instantOrNull(stream.lastMessageMs),
      problem: stream.problem && { ...stream.problem },
    },
  };
}
