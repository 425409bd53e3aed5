/** Documents of a cloud service, and real processes that start anew with them. */
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { CloudHouse } from "./cloud-house.ts";
import { openEnrolmentServer } from "./enrolment-server.ts";

const PATIENCE = { timeout: 90_000 };

test("an enrolled gateway tries a document by MQTT, keeps it, and has it after a stop", PATIENCE, async () => {
  await using service = await openEnrolmentServer();
  await using house = await CloudHouse.build();
  const ours = join(house.folder.path, "ca.pem");
  writeFileSync(ours, service.authority);
  house.environment = { NODE_EXTRA_CA_CERTS: ours };
  const { mqtt } = await house.cloud.listen(service.twin.authorityPem);
  const caPem = house.cloud.authority.pem;
  const uplinks = [{ kind: "mqtt", servers: [`mqtts://localhost:${mqtt}`], topicPrefix: "hemgate", caPem }];
  service.twin.mangle = (answer) => ({ ...answer, uplinks });

  const gateway = await house.start();
  expect(await house.command("enroll", service.twin.issueToken())).toMatchObject({ code: EXIT.ok, err: "" });
  await house.until(() => house.hellos.length > 0);
  await gateway.logged(/connected/);
  await house.send(4, { site: { name: "Shop" } });
  await house.until(() => house.outcomes.length > 0);
  expect(house.outcomes).toMatchObject([{ revision: 4, outcome: "applied", inUse: 4 }]);
  const trials = house.hellos.filter(({ configuration }) => configuration?.isOnTrial === true);
  expect(trials.map(({ configuration }) => configuration?.revision)).toEqual([4]);
  expect(house.hellos.at(-1)?.boots.map(({ number }) => number)).toEqual([1, 2]);
  const { code, out } = await house.command("status");
  expect(code).toBe(EXIT.ok);
  expect(out).toMatch(/^state +connected by mqtt$/m);
  expect(out).toMatch(/^configured +revision 4 of site; last: \S+Z revision 4 applied$/m);
  expect(await house.end("SIGTERM")).toMatchObject({ code: EXIT.ok, signal: null });

  const known = house.hellos.length;
  await house.start();
  await house.until(() => house.hellos.length > known);
  expect(house.hellos.at(-1)?.configuration).toMatchObject({ revision: 4, seen: 4, isOnTrial: false });
});

test("a document whose trial a kill or a stop cuts short by HTTPS leaves the one before", PATIENCE, async () => {
  await using house = await CloudHouse.build();
  await house.provision(["https"]);
  const gateway = await house.start();
  // A client that never ends what it asks: its connection may not keep the port from the next start.
  const client = connect(house.port, "127.0.0.1").on("error", () => undefined);
  using clients = new DisposableStack();
  clients.defer(() => void client.destroy());
  client.write("GET /health HTTP/1.1\r\n");
  await gateway.logged(/"connected to the cloud service"/);
  await house.send(1, { site: { name: "Shop" } });
  await house.until(() => house.outcomes.length === 1);
  const ends = [];
  for (const [index, signal] of (["SIGKILL", "SIGTERM"] as const).entries()) {
    await house.try(index + 2, { site: { name: "Elsewhere" }, devices: [] });
    const { code, signal: by } = await house.end(signal);
    ends.push(by ?? code);
    house.isAnswering = true;
    await house.start();
    await house.until(() => house.outcomes.length === index + 2);
  }
  expect(ends).toEqual(["SIGKILL", EXIT.ok]);
  const over = { outcome: "rolled-back", reason: "interrupted", inUse: 1 };
  expect(house.outcomes.slice(1)).toMatchObject([
    { revision: 2, ...over },
    { revision: 3, ...over },
  ]);
  expect(house.hellos.at(-1)?.configuration).toMatchObject({ revision: 1, seen: 3, isOnTrial: false });
});
