import { DAY_MS, z } from "hemgate/sdk";
import type { CloudSession } from "../kit/connector.ts";
import { extra } from "../kit/device/extra.ts";
import { maybeNumber } from "../kit/device/maybe.ts";
import { listOf, parsed } from "../kit/device/parsed.ts";
import { API } from "./charger.ts";

const FRESH_MS = DAY_MS;
/** Zaptec answers 204 while it gathers the hierarchy (custom-components/zaptec). */
const WAITS_MS = [0, 2_000, 4_000, 8_000];

const Chargers = listOf(z.object({ Id: z.string() })).catch([]);
const Circuit = z.object({ MaxCurrent: maybeNumber, Chargers });
const Hierarchy = z.object({ Circuits: listOf(Circuit).catch([]) });
type Hierarchy = z.infer<typeof Hierarchy>;

/** What the circuit of a charger carries at most, A; null when Zaptec does not tell, or not to this login. */
export async function circuitLimitA(
  session: CloudSession,
  { installationId, chargerId }: { readonly installationId: string | null; readonly chargerId: string },
  signal: AbortSignal,
): Promise<number | null> {
  if (installationId === null) return null;
  const fetch = (inner: AbortSignal) => fetchHierarchy(session, installationId, inner);
  const hierarchy = await extra(session, `hierarchy ${installationId}`, FRESH_MS, fetch, signal);
  const own = hierarchy?.Circuits.find((circuit) => circuit.Chargers.some(({ Id }) => Id === chargerId));
  return own?.MaxCurrent ?? null;
}

/** Null: Zaptec has none yet. A guest of the installation may charge, and is refused this. */
async function fetchHierarchy(session: CloudSession, id: string, signal: AbortSignal): Promise<Hierarchy | null> {
  const url = `${API}/installation/${id}/hierarchy`;
  for (const waitMs of WAITS_MS) {
    await session.clock.sleep(waitMs, signal);
    const answer = await session.ask({ method: "GET", url, subject: id }, signal);
    if (answer.status !== 204) return parsed(Hierarchy, answer, `GET ${url}`);
  }
  return null;
}
