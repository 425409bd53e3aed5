/**
 * What a customer of Tibber pays. Sources: Tibber's GraphQL reference (total is energy and tax in the major currency; tomorrow is
 * empty until about 13:00; quarters on request), and its clients: errors come in a 200.
 */
import { type MarketAnswer, MarketError, type MarketSource, z } from "hemgate/sdk";
import { checkCurrency } from "./check-currency.ts";
import { jsonAnswer } from "./json-answer.ts";
import { slotMsOf } from "./slot-length.ts";

const HOME = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const CURRENCIES = ["EUR", "NOK", "SEK"];
const MAX_SLOTS = 200;

const PRICES = "today { total startsAt currency } tomorrow { total startsAt currency }";
const QUERY = `query ($home: ID!) { viewer { home(id: $home) { currentSubscription {
  priceInfo(resolution: QUARTER_HOURLY) { ${PRICES} } } } } }`;

const SLOTS = z
  .array(
    z.object({
      total: z.number().nullable(),
      startsAt: z.iso.datetime({ offset: true }),
      currency: z.string().max(10),
    }),
  )
  .max(MAX_SLOTS);

const ANSWER = z.object({
  errors: z.array(z.object({ extensions: z.object({ code: z.string().max(100) }).nullish() })).nullish(),
  data: z
    .object({
      viewer: z.object({
        home: z
          .object({
            currentSubscription: z
              .object({ priceInfo: z.object({ today: SLOTS, tomorrow: SLOTS }).nullable() })
              .nullable(),
          })
          .nullable(),
      }),
    })
    .nullish(),
});

/** `tibber`: the token is the customer's own, the zone the id of the home. */
export const tibber: MarketSource = {
  id: "tibber",
  displayName: "Tibber",
  attribution: "Tibber",
  open({ zone, token, currency }) {
    if (!HOME.test(zone)) return { field: "zone", problem: "no id of a home at Tibber" };
    if (token === null) return { field: "token", problem: "Tibber wants the customer's access token" };
    if (!CURRENCIES.includes(currency)) {
      const problem = `Tibber has prices in ${CURRENCIES.join(", ")} only`;
      return { field: "currency", problem, candidates: CURRENCIES };
    }
    return {
      timezone: "Europe/Oslo",
      publishedAt: "13:00",
      divisor: 1,
      basis: "retail",
      hasPast: false,
      request: () => ({
        method: "POST",
        url: new URL("https://api.tibber.com/v1-beta/gql"),
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ query: QUERY, variables: { home: zone } }),
      }),
      read: (answer) => pricesOf(answer, currency),
    };
  },
};

function pricesOf(answer: MarketAnswer, currency: string) {
  const { errors, data } = jsonAnswer(answer, ANSWER);
  const [error] = errors ?? [];
  if (error !== undefined) throw errorOf(error.extensions?.code ?? "");
  const info = data?.viewer.home?.currentSubscription?.priceInfo ?? null;
  if (info === null) throw new MarketError("refused", "answered that the home has no subscription");
  const slots = [...info.today, ...info.tomorrow].map((slot) => ({ ...slot, fromMs: Date.parse(slot.startsAt) }));
  for (const slot of slots) checkCurrency(slot.currency, currency);
  const slotMs = slotMsOf(slots.map(({ fromMs }) => fromMs));
  return slots.flatMap(({ total, fromMs }) =>
    total === null || slotMs === null ? [] : [{ fromMs, toMs: fromMs + slotMs, price: String(total) }],
  );
}

function errorOf(code: string): MarketError {
  switch (code) {
    case "UNAUTHENTICATED":
      return new MarketError("refused", "refuses the token");
    case "FORBIDDEN":
    case "BAD_USER_INPUT":
    case "GRAPHQL_VALIDATION_FAILED":
      return new MarketError("refused", "refuses the home");
    default:
      return new MarketError("unavailable", "answered with an error");
  }
}
