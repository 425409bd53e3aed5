/** A real gateway that waits in vain for its cloud service: its trial has a minute of real time. */
import { expect, test } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { CloudHouse } from "../cli/cloud-house.ts";

test("a document that keeps the gateway from its cloud service is taken back in the process that tries it", async () => {
  await using house = await CloudHouse.build();
  await house.provision(["mqtt", "https"]);
  const gateway = await house.start();
  await gateway.logged(/"connected to the cloud service"/);
  await house.send(1, { site: { name: "Shop" } });
  await house.until(() => house.outcomes.length === 1);
  await house.try(2, { site: { name: "Elsewhere" } });
  await gateway.logged(/"reason":"not-connected"/);
  house.isAnswering = true;
  await house.until(() => house.outcomes.length === 2);
  expect(house.outcomes).toMatchObject([
    { revision: 1, outcome: "applied" },
    { revision: 2, outcome: "rolled-back", reason: "not-connected", inUse: 1 },
  ]);
  expect(house.hellos.at(-1)?.configuration).toMatchObject({ revision: 1, seen: 2, isOnTrial: false });
  const { code, err } = await house.end("SIGTERM");
  expect(code).toBe(EXIT.ok);
  expect(err.match(/"msg":"API listens"/g)).toHaveLength(4);
  expect(err.match(/"msg":"starting"/g)).toHaveLength(1);
});
