/** A person on the link page, without a browser: reads forms out of pages and sends them back. */
import type { LightMyRequestResponse } from "fastify";
import type { RealHouse } from "./real-house.ts";

export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: LightMyRequestResponse["headers"];
  /** Its heading. */
  readonly title: string;
  /** What the page says went wrong; null when it says nothing. */
  readonly fault: string | null;
  /** Where its links lead. */
  readonly links: readonly string[];
}

export class LinkVisit {
  page: Page;
  /** The address in the browser. */
  url: string;
  readonly #house: RealHouse;

  private constructor(house: RealHouse, url: string, page: Page) {
    this.#house = house;
    this.url = url;
    this.page = page;
  }

  static async open(house: RealHouse, linkUrl: string, headers: Record<string, string> = {}): Promise<LinkVisit> {
    const url = pathOf(linkUrl);
    return new LinkVisit(house, url, await load(house, url, headers));
  }

  /** Presses the main button, or the one named, with the fields filled in. */
  async press(fields: Readonly<Record<string, string | readonly string[]>> = {}, action?: string): Promise<Page> {
    const form = this.form();
    if (action !== undefined) form.append("action", action);
    for (const [name, value] of Object.entries(fields)) {
      for (const one of typeof value === "string" ? [value] : value) form.append(name, one);
    }
    return await this.send(form);
  }

  /** What the page's form says by itself. */
  form(): URLSearchParams {
    const hidden = this.page.html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    return new URLSearchParams([...hidden].map(([, name = "", value = ""]) => [name, value]));
  }

  async send(form: URLSearchParams, headers: Record<string, string> = {}): Promise<Page> {
    const answer = await this.#house.ask({
      method: "POST",
      url: this.url,
      headers: { authorization: "", "content-type": "application/x-www-form-urlencoded", ...headers },
      payload: form.toString(),
    });
    if (answer.statusCode !== 303) {
      this.page = pageOf(answer);
      return this.page;
    }
    this.url = String(answer.headers.location);
    return await this.reload();
  }

  async reload(): Promise<Page> {
    this.page = await load(this.#house, this.url);
    return this.page;
  }
}

async function load(house: RealHouse, url: string, headers: Record<string, string> = {}): Promise<Page> {
  return pageOf(await house.ask({ url, headers: { authorization: "", ...headers } }));
}

function pageOf({ statusCode, body, headers }: LightMyRequestResponse): Page {
  const alert = /role="alert">.*?<p>(.*?)<\/p>/s.exec(body);
  return {
    status: statusCode,
    html: body,
    headers,
    title: unescaped(/<h1[^>]*>(.*?)<\/h1>/s.exec(body)?.[1] ?? ""),
    fault: alert === null ? null : unescaped(alert[1] ?? ""),
    links: [...body.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = ""]) => unescaped(href)),
  };
}

function unescaped(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&").trim();
}

function pathOf(linkUrl: string): string {
  const { pathname, search } = new URL(linkUrl);
  return pathname + search;
}
