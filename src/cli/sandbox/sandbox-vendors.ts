import { ASSET_KINDS } from "../../domain/assets/asset.ts";
import { VENDORS, vendorName } from "../../domain/vendors/vendor.ts";
import type { LinkableVendor } from "../../sdk/linking.ts";

/** Every vendor that any category knows, with made-up accounts to sign in to. */
export function sandboxVendors(): readonly LinkableVendor[] {
  const codes = [...new Set(ASSET_KINDS.flatMap((kind) => VENDORS[kind])), "SIMULATED"];
  return codes.map((code): LinkableVendor => {
    const kinds = ASSET_KINDS.filter((kind) => VENDORS[kind].some((known) => known === code));
    return {
      id: code.toLowerCase(),
      vendors: [code],
      vendorTypes: kinds.length === 0 ? ASSET_KINDS : kinds,
      displayName: vendorName(code),
      portalName: `${vendorName(code)} (sandbox)`,
      method: "sign-in",
      fields: [
        { name: "username", kind: "username" },
        { name: "password", kind: "password" },
      ],
    };
  });
}
