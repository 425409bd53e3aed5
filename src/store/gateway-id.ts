import type { Random } from "../platform/ports/ports.ts";
import type { Store } from "./store.ts";

/** The only record of its table. */
const KEY = "this";

/** A UUID by which this installation is known, made once. Rejects with a `StorageError`. */
export async function gatewayId({
  store,
  random,
}: {
  readonly store: Pick<Store, "get" | "commit">;
  readonly random: Pick<Random, "uuid">;
}): Promise<string> {
  const known = store.get("gateway", KEY);
  if (known !== null) return known.id;
  const id = random.uuid();
  await store.commit([{ table: "gateway", key: KEY, put: { id } }], []);
  return id;
}
