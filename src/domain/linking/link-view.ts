import type { FoundDevice, LinkField, LinkMethod, LinkRefusal, LinkWords } from "../../sdk/linking.ts";
import type { AssetKind } from "../assets/asset.ts";
import type { VendorStatus } from "../vendors/vendor-health.ts";
import type { ColorScheme } from "./link.ts";

/** One way to link devices of one brand, as the page offers it. */
export interface LinkOffer {
  /** Unique among all adapters. */
  readonly id: string;
  /** The brand's vendor code. */
  readonly vendor: string;
  /** The kinds of this session that it links. */
  readonly vendorTypes: readonly AssetKind[];
  readonly displayName: string;
  readonly portalName: string;
  readonly method: LinkMethod;
  readonly linkingStatus: VendorStatus;
}

/** What went wrong with the answer before. */
export type LinkFault =
  | LinkRefusal
  | "missing-field"
  | "wrong-value"
  | "nothing-chosen"
  | "no-devices"
  | "wrong-devices"
  | "too-many-devices"
  | "too-many-attempts";

/** What is wrong with what was written into one field. */
export type FieldFault = "missing" | "not-a-number" | "too-low" | "too-high";

/** By the names of the fields; those that are right are not there. */
export type FieldFaults = Readonly<Record<string, FieldFault>>;

/** A form as it is shown. */
interface FormView {
  readonly fields: readonly LinkField[];
  /** What the person wrote before, without secrets. */
  readonly written: Readonly<Record<string, string>>;
  readonly faults: FieldFaults;
  readonly fault: LinkFault | null;
}

/** A device in a choice: it is what the person sees, never its options. */
export type OfferedDevice = Pick<FoundDevice, "key" | "vendorTypes" | "name" | "model" | "detail"> & {
  /** It is linked already; choosing it again renews what is granted. */
  readonly isLinked: boolean;
  /** It is linked, and its vendor may be asked about it within minutes only. */
  readonly comesLater: boolean;
};

/** What the page shows now. */
export type LinkStepView =
  | { readonly step: "intro"; readonly offer: LinkOffer | null }
  /** No offers: nothing here can be linked with the permissions that the app asks for. */
  | { readonly step: "vendor"; readonly offers: readonly LinkOffer[] }
  | { readonly step: "service"; readonly offers: readonly LinkOffer[] }
  | { readonly step: "outage"; readonly offer: LinkOffer; readonly canChoose: boolean }
  | {
      readonly step: "consent";
      readonly offer: LinkOffer;
      readonly scopes: readonly string[];
      /** False: all of them or none. */
      readonly isChoice: boolean;
      readonly fault: LinkFault | null;
    }
  | { readonly step: "searching"; readonly offer: LinkOffer; readonly canEnter: boolean }
  | (FormView & {
      readonly step: "sign-in";
      readonly offer: LinkOffer;
      /** Whether the gateway can look for the device by itself. */
      readonly canSearch: boolean;
    })
  | (FormView & { readonly step: "challenge"; readonly offer: LinkOffer })
  /** The owner decides about one of the chosen devices. */
  | (FormView & { readonly step: "setup"; readonly offer: LinkOffer; readonly device: OfferedDevice })
  | { readonly step: "away"; readonly offer: LinkOffer; readonly url: string }
  | {
      readonly step: "wait";
      readonly offer: LinkOffer;
      readonly url: string;
      readonly code: string;
      readonly hint: LinkWords | null;
    }
  /** Something takes its time: a sign-in, a check of a device, the linking itself. */
  | { readonly step: "busy"; readonly offer: LinkOffer }
  | {
      readonly step: "devices";
      readonly offer: LinkOffer;
      /** Whether the person may say where a device is that is not in the list. */
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

/** A session on its page. */
export interface LinkView {
  readonly language: string;
  readonly colorScheme: ColorScheme;
  /** The client that asked; null when it has no name. */
  readonly appName: string | null;
  readonly isRelink: boolean;
  /** The kinds of device that are linked. */
  readonly vendorTypes: readonly AssetKind[];
  readonly redirectUri: string;
  /** Changes with each step that the session takes; a form that carries an older one is answered with the page of now. */
  readonly formKey: string;
  readonly now: LinkStepView;
}

/** A session that shows no steps: unknown to the gateway, left for good, past its day, or completed before. */
export type ClosedLink =
  | { readonly closed: "unknown" | "left" }
  | {
      readonly closed: "expired" | "used";
      readonly language: string;
      readonly colorScheme: ColorScheme;
      readonly redirectUri: string;
    };
