import { createPublicKey } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { cloudAdapter } from "../../adapters/clouds/cloud-adapter.ts";
import type { App } from "../../adapters/clouds/kit/connector.ts";
import { vendorOf } from "../../adapters/clouds/kit/vendor.ts";
import { tesla } from "../../adapters/clouds/tesla/tesla.ts";
import type { Adapter } from "../../src/sdk/driver.ts";
import { APP } from "../adapters/clouds/fake-session.ts";
import { makeHome } from "../engine/home.ts";
import { openRealHouse } from "./support/real-house.ts";

const KEY = "/.well-known/appspecific/com.tesla.3p.public-key.pem";

function homeWith(apps: Readonly<Record<string, App>>, others: readonly Adapter[] = []) {
  // The options' type is the adapter's own business.
  const clouds = cloudAdapter({ apps, vendors: [vendorOf(tesla)] }) as unknown as Adapter;
  return makeHome(1, { adapters: [...others, clouds] });
}

async function told(home: ReturnType<typeof homeWith>, url = KEY) {
  await using house = await openRealHouse({ home });
  return await house.ask({ url, headers: { authorization: "" } });
}

test("the key that signs commands is there for everybody, and the same after a restart", async () => {
  const home = homeWith({ tesla: APP });
  const answer = await told(home);
  expect(answer.statusCode).toBe(200);
  expect(createPublicKey(answer.body).asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  expect((await told(home)).body).toBe(answer.body);
});

test("an adapter that cannot tell keeps no other from it", async () => {
  const silent: Adapter = {
    name: "silent",
    options: z.object({}),
    start: () => ({
      connect: () => Promise.reject(new Error("no device")),
      wellKnown: () => Promise.reject(new Error("no text")),
      [Symbol.asyncDispose]: async () => undefined,
    }),
  };
  expect((await told(homeWith({ tesla: APP }, [silent]))).statusCode).toBe(200);
});

test("nothing is there without a registration, or by another name", async () => {
  expect((await told(homeWith({}))).statusCode).toBe(404);
  expect((await told(homeWith({ tesla: APP }), KEY.replace("tesla", "nobody"))).statusCode).toBe(404);
});
