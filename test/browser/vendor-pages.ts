/** Vendors' own pages, on which people say yes or no. */

import type { SimWebAnswer } from "../../src/testing/network/sim-web.ts";
import type { TadoTwin } from "../twins/clouds/tado-twin.ts";
import type { TeslaTwin } from "../twins/clouds/tesla-twin.ts";
import type { VendorPages } from "./vendor-front.ts";

export const TESLA_PAGES = "auth.tesla.com";

export function vendorPages({ tesla, tado }: { readonly tesla: TeslaTwin; readonly tado: TadoTwin }): VendorPages {
  return ({ host, pathname, searchParams }) => {
    if (host === TESLA_PAGES && pathname === "/oauth2/v3/authorize") return consent(tesla, searchParams);
    if (host === "login.tado.com" && pathname === "/oauth2/device") return deviceCode(tado, searchParams);
    return null;
  };
}

function consent(tesla: TeslaTwin, asked: URLSearchParams): SimWebAnswer {
  const back = (query: Readonly<Record<string, string>>): string => {
    const url = new URL(asked.get("redirect_uri") ?? "");
    for (const [name, value] of Object.entries({ ...query, state: asked.get("state") ?? "" }))
      url.searchParams.set(name, value);
    return url.href.replaceAll("&", "&amp;");
  };
  const code = tesla.agree(asked.get("code_challenge") ?? "");
  return page("Tesla", `<a href="${back({ code })}">Allow</a> <a href="${back({ error: "access_denied" })}">Deny</a>`);
}

function deviceCode(tado: TadoTwin, asked: URLSearchParams): SimWebAnswer {
  const answer = asked.get("answer");
  if (answer === null) {
    const to = `?user_code=${asked.get("user_code")}&amp;answer=`;
    return page("tado", `<a href="${to}yes">Confirm</a> <a href="${to}no">Deny</a>`);
  }
  tado.answerOfPerson = answer === "yes" ? "approved" : "denied";
  return page("tado", "<p>Thank you</p>");
}

function page(title: string, content: string): SimWebAnswer {
  const body = `<!doctype html><title>${title}</title><link rel="icon" href="data:,"><h1>${title}</h1>${content}`;
  return { headers: { "content-type": "text/html; charset=utf-8" }, body };
}
