/** Every connector with an account and a person who signs in to it, and the kit's own vendor with each kind of login. */
import type { LinkOutcome } from "hemgate/sdk";
import { allConnectors } from "../../../../../adapters/clouds/connectors.ts";
import type { CloudConnector, CloudLogin } from "../../../../../adapters/clouds/kit/connector.ts";
import type { VirtualClock } from "../../../../../src/testing/virtual-clock.ts";
import type { CloudTwin } from "../../../../twins/clouds/cloud-twin.ts";
import type { EcobeeTwin } from "../../../../twins/clouds/ecobee-twin.ts";
import type { EnphaseTwin } from "../../../../twins/clouds/enphase-twin.ts";
import type { FroniusTwin } from "../../../../twins/clouds/fronius-twin.ts";
import type { GoodweTwin } from "../../../../twins/clouds/goodwe-twin.ts";
import type { GrowattTwin } from "../../../../twins/clouds/growatt-twin.ts";
import type { HuaweiTwin } from "../../../../twins/clouds/huawei-twin.ts";
import type { SmaTwin } from "../../../../twins/clouds/sma-twin.ts";
import type { SolarEdgeTwin } from "../../../../twins/clouds/solaredge-twin.ts";
import type { TadoTwin } from "../../../../twins/clouds/tado-twin.ts";
import type { TeslaTwin } from "../../../../twins/clouds/tesla-twin.ts";
import { SunnyTwin, sunny } from "../../kit/sunny.ts";
import { SUBJECTS } from "../subjects.ts";

const CONNECTORS = await allConnectors();

type Query = Readonly<Record<string, string>>;

/** An account, and what its person does where the page asks for something. */
export interface SignIn {
  readonly twin: CloudTwin;
  readonly form: Query;
  readonly secondForm: Query;
  /** Says yes on the vendor's page; answers what the browser brings back. */
  agree(url: URL): Query;
  /** Enters the code on the vendor's page. */
  enter(turn: Extract<LinkOutcome, { readonly kind: "wait" }>): void;
}

export interface LoginSubject {
  readonly id: string;
  readonly connector: CloudConnector;
  make(clock: VirtualClock): SignIn;
}

/** What people type. No trace of it may show anywhere. */
export const TYPED_SECRETS = ["secret-1", "sunshine", "password-1", "secret-code-1", "sensibo-key-1"] as const;
const ACCOUNT = "ada@example.com";
const CODE = "good";

function signIn(twin: CloudTwin, change: Partial<SignIn> = {}): SignIn {
  const agree = (url: URL): Query => ({ code: CODE, state: url.searchParams.get("state") ?? "" });
  return { twin, form: {}, secondForm: {}, agree, enter: () => undefined, ...change };
}

/** By the connector's id; the twin is the one that the connector's subject makes. */
const PERSONS: Readonly<Record<string, (twin: never) => SignIn>> = {
  easee: (twin: CloudTwin) => signIn(twin, { form: { userName: ACCOUNT, password: "secret-1" } }),
  ecobee: (twin: EcobeeTwin) =>
    signIn(twin, { form: { account: ACCOUNT }, enter: ({ code }) => void twin.enteredPins.push(code) }),
  enphase: (twin: EnphaseTwin) => ofCodes(twin),
  "fronius-solarweb": (twin: FroniusTwin) =>
    signIn(twin, { form: { accessKeyId: twin.keyId, accessKeyValue: twin.keyValue } }),
  "goodwe-sems": (twin: GoodweTwin) =>
    signIn(twin, { form: { account: twin.account.account, password: twin.account.pwd } }),
  growatt: (twin: GrowattTwin) => signIn(twin, { form: { token: twin.token, server: "openapi.growatt.com" } }),
  "huawei-fusionsolar": (twin: HuaweiTwin) =>
    signIn(twin, { form: { portal: "eu5.fusionsolar.huawei.com", ...twin.user } }),
  myuplink: (twin: CloudTwin) => signIn(twin),
  sensibo: (twin: CloudTwin) => signIn(twin, { form: { apiKey: "sensibo-key-1" } }),
  sma: (twin: SmaTwin) => ofCodes(twin),
  solaredge: (twin: SolarEdgeTwin) => signIn(twin, { form: { apiKey: twin.apiKey } }),
  tado: (twin: TadoTwin) =>
    signIn(twin, {
      enter: () => {
        twin.answerOfPerson = "approved";
      },
    }),
  tesla: (twin: TeslaTwin) =>
    signIn(twin, {
      agree: ({ searchParams }) => ({
        code: twin.agree(searchParams.get("code_challenge") ?? ""),
        state: searchParams.get("state") ?? "",
      }),
    }),
  zaptec: (twin: CloudTwin) => signIn(twin, { form: { username: ACCOUNT, password: "secret-1" } }),
};

function ofCodes(twin: CloudTwin & { readonly codes: Set<string> }): SignIn {
  const own = signIn(twin);
  return {
    ...own,
    agree: (url) => {
      twin.codes.add(CODE);
      return own.agree(url);
    },
  };
}

function ofConnector(connector: CloudConnector): LoginSubject {
  const subject = SUBJECTS.find((one) => one.connector === connector);
  const person = PERSONS[connector.id];
  if (subject === undefined || person === undefined) throw new Error(`nobody signs in to ${connector.id}`);
  // Each knows the twin of its own connector.
  return { id: connector.id, connector, make: (clock) => person(subject.make(clock).twin as never) };
}

function ofKit(kind: CloudLogin["kind"], id: string, secondFactor: string | null = null): LoginSubject {
  return {
    id,
    connector: sunny(kind),
    make: (clock) => {
      const twin = new SunnyTwin(clock, { forgives: true });
      twin.secondFactor = secondFactor;
      return signIn(twin, {
        form: kind === "form" ? { user: "anna", password: twin.password } : {},
        secondForm: { code: secondFactor ?? "" },
        agree: (url) => twin.authorize(url.href),
        enter: () => {
          twin.entered = "yes";
        },
      });
    },
  };
}

export const LOGIN_SUBJECTS: readonly LoginSubject[] = [
  ofKit("code", "an authorization code"),
  ofKit("device-code", "a device code"),
  ofKit("form", "a form"),
  ofKit("form", "a form with a second factor", "4711"),
  ...CONNECTORS.map(ofConnector),
];
