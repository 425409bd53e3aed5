import type { AssetKind } from "../assets/asset.ts";
import type { VendorStatus } from "../vendors/vendor-health.ts";
import type { ColorScheme } from "./link.ts";
import type { FoundDevice, LinkField, LinkMethod, LinkRefusal, LinkWords } from "./link-form.ts";

/** A way to link devices of one brand that the link page offers. */
export interface LinkOffer {
  /** Unique among all adapters. */
  readonly id: string;
  /** The brand's vendor code. */
  readonly vendor: string;
  /** The kinds of device in this session that it links. */
  readonly vendorTypes: readonly AssetKind[];
  readonly displayName: string;
  readonly portalName: string;
  readonly method: LinkMethod;
  readonly linkingStatus: VendorStatus;
}

/** What was wrong with the user's last input. */
export type LinkFault =
  | LinkRefusal
  | "missing-field"
  | "wrong-value"
  | "nothing-chosen"
  | "no-devices"
  | "wrong-devices"
  | "too-many-devices"
  | "too-many-attempts";

/** What is wrong with the input of one field. */
export type FieldFault = "missing" | "not-a-number" | "too-low" | "too-high";

/** The faults by field name; valid fields are left out. */
export type FieldFaults = Readonly<Record<string, FieldFault>>;

/** A form with the user's last input. */
interface FormView {
  readonly fields: readonly LinkField[];
  /** The user's last input by field name, without secrets. */
  readonly written: Readonly<Record<string, string>>;
  readonly faults: FieldFaults;
  readonly fault: LinkFault | null;
}

/** A device that the user can choose: what is shown of it, without its options. */
export type OfferedDevice = Pick<FoundDevice, "key" | "vendorTypes" | "name" | "model" | "detail"> & {
  /** The device is already linked; choosing it again renews its permissions. */
  readonly isLinked: boolean;
  /** The device is linked, but the vendor's quota delays its first reading by minutes. */
  readonly comesLater: boolean;
};

/** The step that the link page shows. */
export type LinkStepView =
  | { readonly step: "intro"; readonly offer: LinkOffer | null }
  /** Without offers, nothing can be linked with the permissions that the app requests. */
  | { readonly step: "vendor"; readonly offers: readonly LinkOffer[] }
  | { readonly step: "service"; readonly offers: readonly LinkOffer[] }
  | { readonly step: "outage"; readonly offer: LinkOffer; readonly canChoose: boolean }
  | {
      readonly step: "consent";
      readonly offer: LinkOffer;
      readonly scopes: readonly string[];
      /** False if the user can only grant all permissions or none. */
      readonly isChoice: boolean;
      readonly fault: LinkFault | null;
    }
  | { readonly step: "searching"; readonly offer: LinkOffer; readonly canEnter: boolean }
  | (FormView & {
      readonly step: "sign-in";
      readonly offer: LinkOffer;
      /** True if the gateway can search for the device. */
      readonly canSearch: boolean;
    })
  | (FormView & { readonly step: "challenge"; readonly offer: LinkOffer })
  /** The owner answers questions about one of the chosen devices. */
  | (FormView & { readonly step: "setup"; readonly offer: LinkOffer; readonly device: OfferedDevice })
  | { readonly step: "away"; readonly offer: LinkOffer; readonly url: string }
  | {
      readonly step: "wait";
      readonly offer: LinkOffer;
      readonly url: string;
      readonly code: string;
      readonly hint: LinkWords | null;
    }
  /** The gateway works: it signs in, checks a device or links it. */
  | { readonly step: "busy"; readonly offer: LinkOffer }
  | {
      readonly step: "devices";
      readonly offer: LinkOffer;
      /** True if the user can enter the address of a device that is not in the list. */
      readonly canEnter: boolean;
      readonly devices: readonly OfferedDevice[];
      readonly fault: LinkFault | null;
    }
  | {
      readonly step: "done";
      readonly offer: LinkOffer;
      readonly devices: readonly OfferedDevice[];
    }
  | { readonly step: "failed" };

/** A link session as its page shows it. */
export interface LinkView {
  readonly language: string;
  readonly colorScheme: ColorScheme;
  /** Name of the client that started the session; `null` if it has none. */
  readonly appName: string | null;
  /** True if a person began on the gateway's own page, without an app in between. */
  readonly isOwnPage: boolean;
  readonly isRelink: boolean;
  /** The kinds of device that the session links. */
  readonly vendorTypes: readonly AssetKind[];
  readonly redirectUri: string;
  /** Changes with each step of the session. A form that is sent with an older key gets the present step as its response. */
  readonly formKey: string;
  readonly now: LinkStepView;
}

/** A session without steps: it is unknown, was cancelled, has expired, or is completed. */
export type ClosedLink =
  | { readonly closed: "unknown" | "left" }
  | {
      readonly closed: "expired" | "used";
      readonly language: string;
      readonly colorScheme: ColorScheme;
      readonly redirectUri: string;
      readonly isOwnPage: boolean;
    };
