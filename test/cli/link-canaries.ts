/** A person at the link page of a running gateway, who types secrets at every wrong place. */

const FORM = { "content-type": "application/x-www-form-urlencoded" };

interface LinkPage {
  readonly base: string;
  readonly authorization: string;
  readonly plant: (name: string) => string;
}

/** The sign-in of a device in the house: its brand, kind, and the fields that hold a secret. */
const SIGN_INS = [
  { vendor: "SONNEN", vendorType: "battery", offer: /sonnen-v2/, secret: "token" },
  { vendor: "KOSTAL", vendorType: "inverter", offer: /plenticore/, secret: "password" },
] as const;

/** Sends malformed forms of each kind; resolves with all that the gateway answered. */
export async function visitLinkPages(page: LinkPage): Promise<string> {
  const said: string[] = [];
  for (const signIn of SIGN_INS) said.push(await visitSignIn(page, signIn));
  return said.join("\n");
}

/** The forms by what is wrong with them; `secret` stands at that place. */
function wrongForms(field: string, secret: string, key: string): Readonly<Record<string, string>> {
  const form = (values: Readonly<Record<string, string>>): string =>
    new URLSearchParams({ key, action: "continue", host: "127.0.0.1", port: "1", ...values }).toString();
  return {
    refused: form({ [field]: secret }),
    long: form({ [field]: secret.padEnd(9_000, ".") }),
    control: form({ [field]: `${secret}\u0000\r\nx: y` }),
    twice: `${form({ [field]: secret })}&${field}=other`,
    "no-host": form({ [field]: secret, host: "" }),
    "bad-port": form({ [field]: secret, port: "many" }),
    "in-host": form({ [field]: "x", host: `http://u:${secret}@127.0.0.1` }),
    "in-user": form({ [field]: "x", host: `u:${secret}@127.0.0.1` }),
    unknown: form({ passwort: secret }),
    "in-name": form({ [secret]: "x" }),
    "in-action": form({ action: secret }),
    "in-key": form({ key: secret, [field]: secret }),
    "in-offer": form({ offer: secret, brand: secret, scope: secret, device: secret }),
    "bad-encoding": `${form({})}&${field}=${encodeURIComponent(secret)}%E0%A4%A`,
    "too-large": form({ [field]: secret.padEnd(40_000, ".") }),
    "many-fields": `${"x=1&".repeat(400)}${form({ [field]: secret })}`,
  };
}

async function visitSignIn(
  { base, authorization, plant }: LinkPage,
  { vendor, vendorType, offer, secret: field }: (typeof SIGN_INS)[number],
): Promise<string> {
  const scopes = [`${vendorType}:read:data`];
  const begun = await fetch(`${base}/users/home/link`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ vendor, vendorType, scopes, language: "en-US", redirectUri: "app://done" }),
  });
  const { linkUrl } = (await begun.json()) as { linkUrl: string };
  const said: string[] = [];
  const send = async (body: string, headers: Readonly<Record<string, string>> = FORM): Promise<void> => {
    const answer = await fetch(linkUrl, { method: "POST", headers, body, redirect: "manual" });
    said.push(`${answer.status} ${[...answer.headers].join()} ${await answer.text()}`);
  };
  const show = async (query = ""): Promise<string> => {
    const text = await (await fetch(`${linkUrl}${query}`)).text();
    said.push(text);
    return text;
  };
  for (const name of Object.keys(wrongForms("", "", ""))) {
    const text = await untilField({ show, send }, { field, offer });
    const secret = plant(`link-${field}-${name}`);
    await send(wrongForms(field, secret, keyIn(text))[name] ?? "");
    await show();
    await show(`?at=${encodeURIComponent(secret)}`);
  }
  await send(JSON.stringify({ [field]: plant(`link-${field}-json`) }), { "content-type": "application/json" });
  return said.join("\n");
}

/** Goes on with all that is offered until the page asks for the field; resolves with that page. */
async function untilField(
  { show, send }: { readonly show: () => Promise<string>; readonly send: (body: string) => Promise<void> },
  { field, offer }: { readonly field: string; readonly offer: RegExp },
): Promise<string> {
  for (let step = 0; step < 6; step += 1) {
    const text = await show();
    if (text.includes(`name="${field}"`)) return text;
    const body = new URLSearchParams({
      key: keyIn(text),
      action: /name="action" value="([^"]+)"/.exec(text)?.[1] ?? "",
    });
    for (const [, name = "", value = ""] of text.matchAll(/name="(scope|offer)" value="([^"]+)"/g)) {
      if (name === "scope" || offer.test(value)) body.append(name, value);
    }
    await send(body.toString());
  }
  throw new Error(`the link page does not ask for ${field}: ${await show()}`);
}

function keyIn(text: string): string {
  return /name="key" value="([^"]+)"/.exec(text)?.[1] ?? "";
}
