/** Devices that answer by HTTP what was recorded. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PointName } from "hemgate/sdk";
import { expect } from "vitest";
import type { SimWebAnswer, SimWebRequest } from "../../src/testing/network/sim-web.ts";
import { compareCurrents } from "../adapters/current-faults.ts";
import { bed, type Given } from "../adapters/http-json/http-world.ts";
import { recordingAt } from "./recordings.ts";

export const FOLDER = recordingAt("devices/http");
const NOTHING: SimWebAnswer = { status: 404, body: "" };

/** A file as it was recorded, a document made of one, or one that no recording has. */
export type Route = string | readonly [file: string, as: (recorded: Recorded) => unknown] | { readonly made: unknown };
export type Recorded = Readonly<Record<string, unknown>>;
export type Readings = Readonly<Partial<Record<PointName, unknown>>>;

export const used = new Set<string>();

export function textOf(file: string): string {
  used.add(file);
  return readFileSync(join(FOLDER, file), "utf8");
}

/** A device that answers what was recorded, by path and query, or by path alone. */
function recorded(routes: Readonly<Record<string, Route>>) {
  return {
    serve: ({ path }: SimWebRequest): SimWebAnswer => {
      if (path === "/api/login/Basic") return { cookies: ["AuthCookie=a", "UserRecord=b"], body: "{}" };
      const route = routes[path] ?? routes[path.split("?")[0] ?? ""];
      if (route === undefined) return NOTHING;
      if (typeof route === "string") return { body: textOf(route) };
      if ("made" in route) return { body: JSON.stringify(route.made) };
      const [file, as] = route;
      return { body: JSON.stringify(as(JSON.parse(textOf(file)))) };
    },
  };
}

export async function device(given: Given, routes: Readonly<Record<string, Route>>) {
  const { connect, read } = bed(recorded(routes), given);
  await using driver = await connect();
  const readings: Readings = await read(driver);
  expect(Object.values(readings).filter((value) => Number.isNaN(value))).toEqual([]);
  expect(compareCurrents(readings).faults).toEqual([]);
  return { readings, identity: driver.identity };
}
