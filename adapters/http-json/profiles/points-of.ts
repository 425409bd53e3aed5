import type { Provenance } from "hemgate/sdk";
import type { HttpField, HttpPoint } from "../http-profile.ts";

/** Makes the points of one request, all known from the same sources. */
export function pointsOf(
  from: string,
  provenance: Provenance,
): (
  key: HttpPoint["key"],
  path: string,
  form?: Omit<HttpField, "from" | "path"> & Pick<HttpPoint, "states">,
) => HttpPoint {
  return (key, path, form = {}) => ({ key, from, path, ...form, ...provenance });
}
