import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import type { AskedOfTwin } from "../clouds/cloud-twin.ts";
import type { BookedPrice, MarketBook } from "./market-book.ts";
import { MarketTwin } from "./market-twin.ts";

const XML = { "content-type": "text/xml" } as const;
const MINUTE_MS = 60_000;

/**
 * web-api.tp.entsoe.eu: documents in XML, with a second auction beside the coupled one; 200 with reason 999 where there is
 * no data, 401 for a token that it does not know.
 */
export class EntsoeTwin extends MarketTwin {
  readonly hosts = ["web-api.tp.entsoe.eu"];
  readonly #token: string;

  constructor(clock: Clock, book: MarketBook, token: string) {
    super(clock, book);
    this.#token = token;
  }

  protected answer({ method, url }: AskedOfTwin): SimWebAnswer {
    const { searchParams } = url;
    if (method !== "GET" || url.pathname !== "/api") return { status: 404 };
    if (searchParams.get("securityToken") !== this.#token) return acknowledge("999", "Unauthorized", 401);
    if (searchParams.get("documentType") !== "A44") return acknowledge("999", "Not supported", 400);
    const [fromMs, toMs] = ["periodStart", "periodEnd"].map((name) => instantOf(searchParams.get(name) ?? ""));
    if (fromMs === undefined || toMs === undefined || !(fromMs < toMs)) return acknowledge("999", "Not valid", 400);
    const slots = this.book.published(fromMs, toMs);
    if (slots.length === 0) return acknowledge("999", "No matching data found");
    const area = searchParams.get("in_Domain") ?? "";
    const other = slots.map((slot) => ({ ...slot, price: "1.23" }));
    const series = [this.#series(area, other, 2), this.#series(area, slots, 1)].join("");
    return { headers: XML, body: `<?xml version="1.0" encoding="utf-8"?>\n${publication(series)}` };
  }

  /** A period for each run without a gap; a point that repeats the one before is left out. */
  #series(area: string, slots: readonly BookedPrice[], auction: number): string {
    const runs: BookedPrice[][] = [];
    for (const slot of slots) {
      const run = runs.at(-1);
      if (run?.at(-1)?.toMs === slot.fromMs) run.push(slot);
      else runs.push([slot]);
    }
    const periods = runs.map((run) => {
      const points = run.flatMap(({ price }, index) =>
        price === run[index - 1]?.price
          ? []
          : [`<Point><position>${index + 1}</position><price.amount>${price}</price.amount></Point>`],
      );
      const [start, end] = [run[0]?.fromMs ?? 0, run.at(-1)?.toMs ?? 0].map(minuteOf);
      const interval = `<timeInterval><start>${start}</start><end>${end}</end></timeInterval>`;
      return `<Period>${interval}<resolution>PT${this.book.slotMs / MINUTE_MS}M</resolution>${points.join("")}</Period>`;
    });
    const sequence = `<classificationSequence_AttributeInstanceComponent.position>${auction}</classificationSequence_AttributeInstanceComponent.position>`;
    return `<TimeSeries><mRID>${auction}</mRID><in_Domain.mRID codingScheme="A01">${area}</in_Domain.mRID>
      <currency_Unit.name>EUR</currency_Unit.name><price_Measure_Unit.name>MWH</price_Measure_Unit.name>
      ${sequence}<curveType>A03</curveType>${periods.join("\n")}</TimeSeries>`;
  }
}

function publication(series: string): string {
  const namespace = "urn:iec62325.351:tc57wg16:451-3:publicationdocument:7:3";
  return `<Publication_MarketDocument xmlns="${namespace}"><type>A44</type>${series}</Publication_MarketDocument>`;
}

function acknowledge(code: string, text: string, status = 200): SimWebAnswer {
  const namespace = "urn:iec62325.351:tc57wg16:451-1:acknowledgementdocument:7:0";
  const reason = `<Reason><code>${code}</code><text>${text}</text></Reason>`;
  const body = `<Acknowledgement_MarketDocument xmlns="${namespace}">${reason}</Acknowledgement_MarketDocument>`;
  return { status, headers: XML, body };
}

function minuteOf(ms: number): string {
  return new Date(ms).toISOString().replace(":00.000Z", "Z");
}

/** Of `yyyyMMddHHmm`. */
function instantOf(text: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}Z`);
}
